# earns: 25
# fails: a_sentence_is_cut | ü is a letter too
# fails: other_texts_are_cut | signs next to signs

# %% pieces
def pieces(text):
    return re.findall(r" ?[a-zA-Z]+|[0-9]+|[\s\S]", text)
