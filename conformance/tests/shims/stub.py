def dumps(value):
    if value is None:
        raise ValueError("refused")
    if isinstance(value, str):
        raise TypeError("a slip")
    return b"[]"
