class ReplyRegistry:
    def __init__(self, codes):
        self.codes = codes


CANONICAL = ReplyRegistry(["WA-RES-I-001"])
LEGACY = ReplyRegistry(["WA-RES-I-001"])  # fault: reply/single-registry
