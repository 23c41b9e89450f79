"""Names that look alike and are something else."""


SCHEMA = {
    "properties": {
        "status": {"type": "string"},
        "reply_type": {"enum": ["S", "I", "D", "E"]},
        "meta": {"type": "object"},
        "error": {},
    },
}


class Console:
    def info(self, text):
        return {"text": text}

    def fail(self, text):
        raise ValueError(text)


def show(console: Console, rb: "RingBuffer"):
    console.info("fine")
    rb.error("no builder, by its type")
    rb = open("file", "rb")
    rb.read()
    for rb in [1, 2]:
        print(rb)
    status = {"status": "success", "data": {}}
    return status
