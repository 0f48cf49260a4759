"""The tables and figures of the BMCS paper (Qiu et al., 2024), beside what they come to here."""
