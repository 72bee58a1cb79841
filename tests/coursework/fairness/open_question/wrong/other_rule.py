# earns: 24
# fails: every_case_is_decided | The first line that fits decides

# %% decide
def decide(low, high):
    if low > « margin »:
        return "better"
    if high < -« margin »:
        return "worse"
    return "equal" if -« margin » <= low and high <= « margin » else "open"
