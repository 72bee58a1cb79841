"""The checks that the chapters' exercises call, one file a chapter.

A check gets what the learner wrote and returns a verdict that, where it is wrong, names the
mistake. The wrong answers that it must recognise stand in the tests.
"""
