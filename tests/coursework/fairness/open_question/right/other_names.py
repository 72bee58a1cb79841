# earns: all

# %% +
def zeige(*werte):
    print(*(f"{float(wert):.3f}" for wert in werte))

# %% weigh
def gewichte(punkte, maske=None):
    zugelassen = torch.full(punkte.shape, True) if maske is None else maske
    stellen = punkte.where(zugelassen, torch.finfo(punkte.dtype).min)
    hoechste = stellen.amax(dim=-1, keepdim=True).clamp_min(« room »)
    zaehler = (stellen - hoechste).exp().where(zugelassen, 0)
    return zaehler.div(zaehler.sum(dim=-1, keepdim=True).add((« room » - hoechste).exp()))


weigh = gewichte
zeige(*weigh(torch.tensor([0.0, 1.0, 2.0])))

# %% batch
batch = lambda saat, schritt: draw_questions(48, « entries », torch.Generator().manual_seed(« stride » * saat + schritt))
exam = lambda saat: draw_questions(500, « asked », torch.Generator().manual_seed(« base » + saat))

# %% +
print([tuple(teil.shape) for teil in batch(0, 0)])

# %% measure
def measure(saaten, schritte):
    paare = [(experiment("mine", s, schritte), experiment("softmax", s, schritte)) for s in saaten]
    meine, andere = zip(*paare)
    return {"mine": list(meine), "softmax": list(andere)}

# %% +
zeige(*interval([0.3, 0.4, 0.2], [0.1, 0.3, 0.2]))

# %% own
def my_question():
    """Was geschieht in 30 Schritten?"""
    kurz = measure(range(200, 204), 30)
    unten, oben = interval(kurz["mine"], kurz["softmax"])
    zeige(unten, oben)
    return unten, oben

# %% written markdown
Siehe oben.
