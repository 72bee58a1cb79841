# does: hands in a script as a picture, and pages as outputs
# verdict: graded
# earns: 0
# says: sum to one
from IPython.display import HTML, Javascript, display

display({"image/png": b"<script>document.title = 'planted'</script>"}, raw=True)
display({"image/png": b"\x89PNG\r\n\x1a\n<script>document.title = 'planted'</script>"}, raw=True)
display({"image/svg+xml": "<svg onload='document.title = \"planted\"'/>"}, raw=True)
display(HTML("<script>document.title = 'planted'</script>"))
display(Javascript("document.title = 'planted'"))


def attention(query, key, value):
    return torch.zeros(2, 5, 3)
