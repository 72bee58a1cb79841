"""Wrong answers to the exercises of chapter 4, each with the words that its verdict must say."""

WRONG = [
    (
        "4.1",
        "view without swapping the axes",
        "a view alone cuts the numbers where they lie",
        """
def split(x, n_heads):
    batch, length, d_model = x.shape
    return x.view(batch, n_heads, length, d_model // n_heads)
exercises.check_split(split)
""",
    ),
    (
        "4.1",
        "heads left behind the tokens",
        "the heads still stand behind the tokens",
        """
def split(x, n_heads):
    batch, length, d_model = x.shape
    return x.view(batch, length, n_heads, d_model // n_heads)
exercises.check_split(split)
""",
    ),
    (
        "4.1",
        "width cut as d_head by heads, so that heads are interleaved",
        "width cut as d_head by heads",
        """
def split(x, n_heads):
    batch, length, d_model = x.shape
    return x.view(batch, length, d_model // n_heads, n_heads).permute(0, 3, 1, 2)
exercises.check_split(split)
""",
    ),
    (
        "4.1",
        "heads in the opposite order",
        "some numbers went to another head or token",
        """
def split(x, n_heads):
    return torch.stack(x.chunk(n_heads, dim=-1)[::-1], dim=1)
exercises.check_split(split)
""",
    ),
    (
        "4.2",
        "reshape without bringing the heads back",
        "a reshape alone reads head 1 to its end",
        """
def merge(heads):
    batch, n_heads, length, d_head = heads.shape
    return heads.reshape(batch, length, n_heads * d_head)
exercises.check_merge(merge)
""",
    ),
    (
        "4.2",
        "averaging the heads",
        "you averaged the heads",
        """
def merge(heads):
    return heads.mean(dim=1)
exercises.check_merge(merge)
""",
    ),
    (
        "4.2",
        "adding the heads",
        "you added the heads up",
        """
def merge(heads):
    return heads.sum(dim=1)
exercises.check_merge(merge)
""",
    ),
    (
        "4.2",
        "interleaving the heads",
        "your heads are interleaved number by number",
        """
def merge(heads):
    return heads.permute(0, 2, 3, 1).flatten(2)
exercises.check_merge(merge)
""",
    ),
    (
        "4.3",
        "scale by the width of the model",
        "you divided the scores by √d_model",
        """
def multi_head(x, w_q, w_k, w_v, w_o, n_heads):
    q, k, v = (split_heads(x @ w, n_heads) for w in (w_q, w_k, w_v))
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(x.size(-1)), dim=-1)
    return merge_heads(weights @ v) @ w_o
exercises.check_multi_head(multi_head)
""",
    ),
    (
        "4.3",
        "no scale",
        "the scores are not scaled",
        """
def multi_head(x, w_q, w_k, w_v, w_o, n_heads):
    q, k, v = (split_heads(x @ w, n_heads) for w in (w_q, w_k, w_v))
    return merge_heads(torch.softmax(q @ k.transpose(-2, -1), dim=-1) @ v) @ w_o
exercises.check_multi_head(multi_head)
""",
    ),
    (
        "4.3",
        "output projection forgotten",
        "multiply by W_O at the end",
        """
def multi_head(x, w_q, w_k, w_v, w_o, n_heads):
    q, k, v = (split_heads(x @ w, n_heads) for w in (w_q, w_k, w_v))
    return merge_heads(attention(q, k, v)[0])
exercises.check_multi_head(multi_head)
""",
    ),
    (
        "4.3",
        "softmax over the queries",
        "softmax runs over the queries",
        """
def multi_head(x, w_q, w_k, w_v, w_o, n_heads):
    q, k, v = (split_heads(x @ w, n_heads) for w in (w_q, w_k, w_v))
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.size(-1)), dim=-2)
    return merge_heads(weights @ v) @ w_o
exercises.check_multi_head(multi_head)
""",
    ),
    (
        "4.3",
        "softmax over the heads",
        "softmax runs over the heads",
        """
def multi_head(x, w_q, w_k, w_v, w_o, n_heads):
    q, k, v = (split_heads(x @ w, n_heads) for w in (w_q, w_k, w_v))
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.size(-1)), dim=1)
    return merge_heads(weights @ v) @ w_o
exercises.check_multi_head(multi_head)
""",
    ),
    (
        "4.3",
        "one head of full width",
        "this is one head of full width",
        """
def multi_head(x, w_q, w_k, w_v, w_o, n_heads):
    return attention(x @ w_q, x @ w_k, x @ w_v)[0] @ w_o
exercises.check_multi_head(multi_head)
""",
    ),
    (
        "4.3",
        "split by view alone",
        "your split mixes tokens",
        """
def multi_head(x, w_q, w_k, w_v, w_o, n_heads):
    batch, n, d = x.shape
    q, k, v = ((x @ w).view(batch, n_heads, n, d // n_heads) for w in (w_q, w_k, w_v))
    return merge_heads(attention(q, k, v)[0]) @ w_o
exercises.check_multi_head(multi_head)
""",
    ),
    (
        "4.4",
        "the sum instead of the addends",
        "this is their sum",
        """
def contributions(heads, w_o):
    return merge_heads(heads) @ w_o
exercises.check_contributions(contributions)
""",
    ),
    (
        "4.4",
        "columns of W_O instead of rows",
        "you took columns of W_O",
        """
def contributions(heads, w_o):
    d = heads.size(3)
    parts = [heads[:, i] @ w_o[:, i * d : (i + 1) * d].T for i in range(heads.size(1))]
    return torch.stack(parts, dim=1)
exercises.check_contributions(contributions)
""",
    ),
    (
        "4.4",
        "divided by the number of heads",
        "a sum needs no average",
        """
def contributions(heads, w_o):
    return heads @ w_o.view(heads.size(1), heads.size(3), -1) / heads.size(1)
exercises.check_contributions(contributions)
""",
    ),
    (
        "4.4",
        "every head through the first block",
        "every head goes through the first block",
        """
def contributions(heads, w_o):
    return heads @ w_o[: heads.size(3)]
exercises.check_contributions(contributions)
""",
    ),
]

ALSO_RIGHT = [
    (
        "4.1",
        "a stack of chunks",
        """
def split(x, n_heads):
    return torch.stack(x.chunk(n_heads, dim=-1), dim=1)
exercises.check_split(split)
""",
    ),
    (
        "4.2",
        "a concatenation of slices",
        """
def merge(heads):
    return torch.cat([heads[:, i] for i in range(heads.size(1))], dim=-1)
exercises.check_merge(merge)
""",
    ),
    (
        "4.3",
        "a loop over heads and positions, in double precision",
        """
def multi_head(x, w_q, w_k, w_v, w_o, n_heads):
    x, w_q, w_k, w_v, w_o = (t.double() for t in (x, w_q, w_k, w_v, w_o))
    d = x.size(-1) // n_heads
    found = []
    for i in range(n_heads):
        part = slice(i * d, (i + 1) * d)
        q, k, v = x @ w_q[:, part], x @ w_k[:, part], x @ w_v[:, part]
        rows = []
        for t in range(x.size(1)):
            scores = (k * q[:, t : t + 1]).sum(-1) / math.sqrt(d)
            rows.append((scores.softmax(-1)[..., None] * v).sum(1))
        found.append(torch.stack(rows, dim=1))
    return torch.cat(found, dim=-1) @ w_o
exercises.check_multi_head(multi_head)
""",
    ),
    (
        "4.4",
        "einsum",
        """
def contributions(heads, w_o):
    blocks = w_o.unflatten(0, (heads.size(1), heads.size(3)))
    return torch.einsum("bhnd,hdm->bhnm", heads, blocks)
exercises.check_contributions(contributions)
""",
    ),
]
