"""Tables of marks: read as others wrote them, written so that no cell of them acts."""
