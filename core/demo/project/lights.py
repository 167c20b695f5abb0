"""When the lights of the harbour are lit."""


def lit(hour: int, fog: bool = False) -> bool:
    """Whether the lights are lit at that hour of the day, 0 to 23."""
    return fog or hour < 7 or hour >= 19
