"""Takes the outputs out of a notebook that is too large with them: grading needs none.

What drew many pictures has megabytes of outputs and few of code. To parse such a file could take
twenty times its size in memory. So its bytes are looked through, without making objects of them,
for the lists of outputs, and these are left out. What remains is parsed within the limits.
"""

import re

QUOTE, OUTPUTS = b'"', b'"outputs"'
SIGN = re.compile(rb'["\[\]{}]')
A_LIST = re.compile(rb"[ \t\r\n]*:[ \t\r\n]*(?=\[)")
# What stands around a cell's own keys: the notebook, its list of cells, the cell.
CELL = [b"{", b"[", b"{"]
# Of quotes and brackets; looking at so many takes seconds.
MOST_SIGNS = 4_000_000


def without_outputs(content: bytes) -> bytes:
    """A notebook's bytes with all lists of outputs empty.

    Args:
        content: the file's bytes; nothing in them is trusted.

    Returns:
        The bytes without outputs; as they were if they are not UTF-8, or no JSON, or have more
        quotes and brackets than are looked at.
    """
    kept, begin = list[bytes](), 0
    around, cut, at = list[bytes](), -1, 0
    in_text, began = False, 0
    for _ in range(MOST_SIGNS):
        if in_text:
            end = content.find(QUOTE, at)
            if end < 0:
                return content
            slashes = content[at:end]
            in_text = bool((len(slashes) - len(slashes.rstrip(b"\\"))) % 2)
            at = end + 1
            is_key = not in_text and around == CELL and content[began:at] == OUTPUTS
            if is_key and (value := A_LIST.match(content, at)):
                cut = at = value.end()
            continue
        sign = SIGN.search(content, at)
        if sign is None:
            return b"".join([*kept, content[begin:]])
        at = sign.end()
        if sign[0] == QUOTE:
            in_text, began = True, sign.start()
        elif sign[0] in b"[{":
            around.append(sign[0])
        elif not around:
            return content
        else:
            around.pop()
            if cut >= 0 and around == CELL:
                kept += [content[begin:cut], b"[]"]
                begin, cut = at, -1
    return content
