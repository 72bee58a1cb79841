# earns: 24
# fails: your_question_has_an_answer | expected a pair of numbers (low, high)

# %% own
def my_question():
    leads = [experiment("mine", seed, 40) - experiment("softmax", seed, 40) for seed in range(3)]
    return sum(leads) / len(leads)
