from codes import NO_DISK, UNKNOWN_NAME
from reply import ReplyBuilder, mcp_safe_tool


@mcp_safe_tool
def find(name):
    rb = ReplyBuilder()
    if not name:
        rb.warn("no name")
        return rb.invalid(UNKNOWN_NAME)
    if name == "disk":
        return rb.error(NO_DISK)
    # assize: allow reply/no-raw-return the old agents read this until spring
    return {"name": name}
