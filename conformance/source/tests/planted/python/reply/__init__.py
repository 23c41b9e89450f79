from .builder import Reply, ReplyBuilder
from .wrapper import mcp_safe_tool

__all__ = ["Reply", "ReplyBuilder", "mcp_safe_tool"]
