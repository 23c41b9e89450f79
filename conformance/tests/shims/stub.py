def dumps(value):
    if value is None:
        raise ValueError("refused")
    if value == 0:
        raise TypeError("a slip")
    return b"[]"
