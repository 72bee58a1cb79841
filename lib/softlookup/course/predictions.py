"""Predict first: the reader answers before the experiment, and the experiment judges."""

from collections.abc import Mapping


def compare(prediction: str | None, outcomes: Mapping[str, bool]) -> None:
    """Print which option came out, and how the reader's prediction fared.

    Args:
        prediction: the option that the reader chose, such as ``"b"``, or None for no answer.
        outcomes: for each option, whether the measurement bears it out. The options exclude
            each other and leave no gap, so exactly one is true.

    Raises:
        ValueError: if the prediction is no option, or if not exactly one outcome is true.
    """
    came_out = [option for option, true in outcomes.items() if true]
    if len(came_out) != 1:
        raise ValueError(
            f"the measurement bears out {came_out or 'no option'}; expected exactly one "
            f"of {[*outcomes]}"
        )
    if prediction is not None and prediction not in outcomes:
        raise ValueError(f"prediction is {prediction!r}; expected one of {[*outcomes]} or None")
    if prediction is None:
        comment = "You made no prediction: set it above, and run both cells again."
    elif prediction == came_out[0]:
        comment = "As you predicted."
    else:
        comment = f"You predicted ({prediction}): what made it tempting?"
    print(f"Measured: ({came_out[0]}). {comment}")
