"""The order of the chapters: the one place in the library where a key becomes a number.

A chapter is called by its key, which is its notebook's file name without the number, so that the
book can be put into another order without a search through the code.
"""

CHAPTERS = (
    "rnn_limits",
    "attention",
    "self_attention",
    "multi_head",
    "masking",
    "feed_forward",
    "residuals_and_norms",
    "positions",
    "encoder_decoder",
    "next_word",
    "vision",
    "support_vectors",
    "quadratic_wall",
    "looking_inside",
    "open_questions",
    "todays_model",
    "from_words_to_answers",
    "past_one_machine",
)


def number(chapter: str) -> int:
    """The number under which the book prints a chapter.

    Raises:
        ValueError: if no chapter has this key.
    """
    if chapter not in CHAPTERS:
        raise ValueError(f"there is no chapter {chapter!r}; expected one of {[*CHAPTERS]}")
    return CHAPTERS.index(chapter) + 1
