"""The book's own machinery: claims, predictions, exercises, seeds, costs and kept measurements."""
