"""Training: runs with configurations, checkpoints and logs; by imitation and by self-play."""
