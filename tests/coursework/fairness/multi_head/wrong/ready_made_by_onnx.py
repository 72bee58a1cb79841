# A ready-made attention of PyTorch's, which models in another format need.
# earns: 10
# fails: parameters_have_their_names | your answer uses onnx.ops
# fails: order_of_tokens | your answer uses onnx.ops
# fails: memory_of_one_token | your answer uses onnx.ops
# fails: layer_agrees | your answer uses onnx.ops
# fails: memory_and_mask | your answer uses onnx.ops
# fails: layer_gradients_agree | your answer uses onnx.ops
# %% layer differs
-        heads = weights.masked_fill(~mask, 0.0) @ value
+        import torch.onnx.ops as ready
+        some = mask.any(-1, keepdim=True)
+        biased = torch.where(some, compared.masked_fill(~mask, float("-inf")), torch.zeros_like(compared))
+        heads = ready.attention(query * 0, key * 0, value, attn_mask=biased, qk_matmul_output_mode=3)[0] * some
