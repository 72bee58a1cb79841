# earns: 25
# fails: a_sentence_is_cut | where do the spaces belong?
# fails: other_texts_are_cut | Mind runs of spaces

# %% pieces
def pieces(text):
    return re.findall(r"[^\W\d_]+ ?|[0-9]+|[\s\S]", text)
