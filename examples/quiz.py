"""Ask what to bid: hands for a lesson on an auction, each with its answer and the reason.

Run it with: python examples/quiz.py ["1NT (P)" [HANDS]]
"""

import sys

import bidwright


def main(auction: str = "1NT (P)", hands: str = "5", system: str = "sayc") -> None:
    """Print hands of the player in turn, and below them the answers."""
    lesson = bidwright.open_system(system)
    calls = bidwright.parse_auction(auction)
    answers = []
    for number, deal in enumerate(lesson.sample(calls, int(hands), seed=7), 1):
        hand = deal[calls.turn]
        assert hand is not None
        print(f"{number}. {hand}  {auction} ?")
        choice = lesson.bid(hand, calls)
        meaning = choice.shows.brief.meaning() if choice.shows else ""
        answers.append(f"{number}. {choice.call}: {meaning}")
    print("\nAnswers", *answers, sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
