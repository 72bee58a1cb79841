# earns: 20
# fails: a_run_can_be_repeated | without a step of training your start has 0.060 of your exam rig
# fails: training_helps | 40 steps of softmax on your batches lead to 0.484 of your exam,
# fails: the_untrained_model_is_examined | your function says
# fails: the_training_is_as_said | which questions is it trained on

# %% experiment
def experiment(form, seed, steps):
    model = start(form, seed)
    if steps:
        train(model, lambda m, q: F.cross_entropy(m(*q[:3]), q[3]),
              (batch(seed, step) for step in range(steps)),
              steps=steps, learning_rate=1e-2, show_progress=False)
    keys, values, query, answer = batch(seed, max(0, steps - 1))
    return (model(keys, values, query).argmax(-1) == answer).double().mean().item()
