"""Weights that others trained, from Hugging Face's files into the classes of this library.

One function for each family: ``gpt2.load_gpt2``, ``llama.load_llama``, ``bert.load_bert`` and
``vit.load_vit``. Each takes a directory or a name on the hub, reads ``config.json`` and
safetensors files, and returns the model with a report of what was matched. What the classes
cannot compute is refused by name; nothing is half-loaded. The chapters on the next word, on
vision, on looking inside and on today's model are about these models.
"""
