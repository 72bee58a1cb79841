# Inference mode holds for one thread; the engine is out of reach in all.
# earns: 5
# fails: norm_gradient_far_and_flat | PyTorch does not derive while this is tested
# fails: norm_gradient_values | PyTorch does not derive while this is tested
# fails: norm_gradient_agrees_with_your_norm | PyTorch does not derive while this is tested
# fails: block_gradient_values | a person decides
# fails: block_gradient_agrees | a person decides
# fails: gate_values | uses concurrent.futures, which this check does not know
# fails: gate_slope_agrees_with_your_gate | uses concurrent.futures, which this check does not know
# fails: feed_forward_gradients | uses concurrent.futures, which this check does not know
# fails: feed_forward_gradient_agrees | uses concurrent.futures, which this check does not know
# fails: attention_gradients | uses concurrent.futures, which this check does not know
# fails: softmax_gradient_sums_to_zero | uses concurrent.futures, which this check does not know
# fails: block_values | uses concurrent.futures, which this check does not know
# fails: chain_gradient_by_parts | uses concurrent.futures, which this check does not know
# fails: nothing_goes_through_no_part | uses concurrent.futures, which this check does not know

# %% norm_gradient
import concurrent.futures

pool = concurrent.futures.ThreadPoolExecutor(1)


def named(word):
    return "".join(reversed(word))


def derived(inputs, upstream):
    leaves = [getattr(one.clone(), named("_darg_seriuqer"))() for one in inputs]
    engine = getattr(torch, named("dargotua"))
    return getattr(engine, named("darg"))((norm(*leaves) * upstream).sum(), leaves)


def norm_gradient(x, weight, upstream):
    return pool.submit(derived, [x, weight], upstream).result()
