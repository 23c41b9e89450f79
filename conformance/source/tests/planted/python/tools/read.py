"""Tools that read, with their codes given in every way."""

from mcp import server as mcp

from reply import ReplyBuilder, mcp_safe_tool
from reply import codes
from reply.codes import Codes, NO_FILE, RETIRED, UNKNOWN_NAME as UNKNOWN


@mcp.tool()
@mcp_safe_tool
def find(name):
    rb = ReplyBuilder()
    if not name:
        return rb.invalid("WA-RES-I-001", data={"name": name})
    if name == "?":
        return rb.invalid("wa-res-i-001")  # fault: reply/code-shape reply/code-registered
    if name == "!":
        return rb.invalid(UNKNOWN)
    if name == "old":
        return rb.invalid(RETIRED)  # fault: reply/code-registered
    if name == "file":
        return rb.invalid(code=NO_FILE)
    if name == "disk":
        return rb.error(codes.BY_NAME["disk"])
    if name == "gone":
        return rb.error(codes.BY_NAME["gone"])  # fault: reply/code-registered
    return rb.success(data={"name": name})


@mcp.tool()
@mcp_safe_tool
def gate(name):
    rb = ReplyBuilder()
    code = Codes.CLOSED
    if name == "closed":
        return rb.invalid(code.value)
    if name == "yours":
        return rb.invalid(Codes.NOT_YOURS)  # fault: reply/type-agrees
    if name == "alien":
        return rb.error(Codes.ALIEN.value)  # fault: reply/code-registered reply/layer-closed
    code = Codes.OPENED
    if name == "open":
        return rb.invalid(code)  # fault: reply/code-registered reply/contract-area-gate reply/area-registered
    layer = "EN"
    if name == "en":
        return rb.invalid(f"{layer}-WRITE-I-001")  # fault: reply/code-registered reply/layer-type-matrix
    if name == "none":
        return rb.denied()  # fault: reply/builder-api
    if name == "two":
        return rb.invalid("WA-RES-I-001" if name else "WA-RES-E-001")  # fault: reply/code-registered reply/type-agrees
    # Which of two codes arrives is not for a reader of sources to say.
    answer = "EN-WRITE-D-001" if name else "EN-WRITE-E-001"
    if answer.endswith("D-001"):
        return rb.denied(answer)
    return rb.error(answer)


def helper(rb: ReplyBuilder, code):
    return rb.invalid(code)
