"""Whole models, assembled from layers; they only compute."""
