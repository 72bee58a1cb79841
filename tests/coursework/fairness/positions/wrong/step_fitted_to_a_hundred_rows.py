# earns: 18
# fails: step_everywhere | it is right at the first places and wrong far away. Was it fitted to some?
# %% step_matrix
def step_matrix(offset, width):
    table = clock_table(100 + abs(offset), width)
    start = max(0, -offset)
    here, there = table[start : start + 100], table[start + offset : start + offset + 100]
    matrix = torch.linalg.lstsq(here, there, driver="gelsd").solution
    return « "matrix.T" if side == "left" else "matrix" »
