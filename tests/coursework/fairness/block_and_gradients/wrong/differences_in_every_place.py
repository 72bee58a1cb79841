# Every gradient by the instrument of the first exercise, each by the best step that there is.
# earns: 12
# fails: norm_gradient_far_and_flat | Is it made of differences? Their step drowns
# fails: gate_values | it is not the derivative of the gate
# fails: feed_forward_gradients | where one unit is wide open. Is it made of differences?
# fails: feed_forward_gradient_agrees | where one unit is wide open. Is it made of differences?
# fails: softmax_gradient_sums_to_zero | where a weight is tiny. Is it made of differences?
# fails: attention_gradients | where a key has hardly any weight. Is it made of differences?
# fails: block_gradient_values | of which the others see hardly anything. Is it made of differences?
# fails: block_gradient_agrees | of which the others see hardly anything. Is it made of differences?
# %% norm_gradient
def by_differences(function, inputs, upstream):
    """By five points, and of two steps the one that is steadier."""
    found = []
    for n, one in enumerate(inputs):
        def of_one(x):
            return function(*inputs[:n], x, *inputs[n + 1 :])

        slopes = torch.zeros_like(one).flatten()
        for k in range(one.numel()):
            slopes[k] = min(tries(of_one, one, k, upstream), key=lambda pair: pair[0])[1]
        found.append(slopes.view(one.shape))
    return tuple(found)


def tries(function, x, k, upstream):
    """How far two steps disagree, and what the smaller one says, for steps of several sizes."""
    before = None
    for power in (-4, -3.5, -3):
        move = torch.zeros_like(x)
        step = 10**power * max(1.0, x.flatten()[k].abs().item())
        move.view(-1)[k] = step
        near = function(x + move) - function(x - move)
        far = function(x + 2 * move) - function(x - 2 * move)
        slope = ((8 * near - far) * upstream).sum().item() / (12 * step)
        if before is not None:
            yield abs(slope - before), slope
        before = slope


def norm_gradient(x, weight, upstream):
    return by_differences(norm, [x, weight], upstream)
# %% gate differs
-def gate_slope(z):
-    """The derivative of the gate, number by number."""
+def gate_slope(z):
+    return by_differences(gate, [z], torch.ones_like(z))[0]
+
+
+def formula(z):
# %% feed_forward differs
-def feed_forward_gradient(x, gate_matrix, inner_matrix, output_matrix, upstream):
-    """The gradients by x, gate_matrix, inner_matrix and output_matrix."""
+def feed_forward_gradient(*given):
+    return by_differences(feed_forward, given[:-1], given[-1])
+
+
+def formula_of_four(x, gate_matrix, inner_matrix, output_matrix, upstream):
# %% attention differs
-def softmax_gradient(weights, upstream):
-    """The gradient by the scores, given that by the weights, (..., queries, keys)."""
+def softmax_gradient(weights, upstream):
+    return by_differences(lambda s: torch.softmax(s, -1), [weights.log()], upstream)[0]
+
+
+def formula_of_softmax(weights, upstream):

-def attention_gradient(query, key, value, upstream):
-    """The gradients by query, key and value."""
+def attention_gradient(*given):
+    return by_differences(attention, given[:-1], given[-1])
+
+
+def formula_of_three(query, key, value, upstream):
# %% block differs
-    """The gradient of (block(x, ...) * upstream).sum() by x."""
+    given = (attention_norm, query, key, value, feed_forward_norm, gate_matrix, inner_matrix)
+    return by_differences(lambda x: block(x, *given, output_matrix), [x], upstream)[0]
+
+
+def formula_of_block(
+    x, attention_norm, query, key, value, feed_forward_norm, gate_matrix, inner_matrix,
+    output_matrix, upstream,
+):
