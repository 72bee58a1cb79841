"""Figures: functions that take arrays and an axes, never a model.

``style`` holds the palette that the site and every figure share; the other files draw.
"""
