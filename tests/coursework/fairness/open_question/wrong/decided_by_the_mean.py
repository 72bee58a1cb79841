# earns: 23
# fails: clear_cases_are_decided | holds a lead that matters and a lag that matters
# fails: every_case_is_decided | The first line that fits decides

# %% decide
def decide(low, high):
    middle = (low + high) / 2
    if middle > « margin »:
        return "better"
    return "worse" if middle < -« margin » else "equal"
