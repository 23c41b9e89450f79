"""A server of the Model Context Protocol with one tool. Its answers keep every rule; with --careless three do not."""
import json
import sys

REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
INTEGER = {"type": "integer"}
CARELESS = "--careless" in sys.argv
spoken = REVISIONS[-1]


def tool():
    schema = {"type": "object", "properties": {"a": INTEGER, "b": INTEGER}, "required": ["a", "b"]}
    listed = {"name": "add", "inputSchema": schema}
    if spoken >= "2025-03-26":
        listed["annotations"] = {"readOnlyHint": True}
    if spoken >= "2025-06-18":
        listed["outputSchema"] = {"type": "object", "properties": {"sum": INTEGER}, "required": ["sum"]}
    return listed


def call(params):
    if params.get("name") != "add":
        if CARELESS and "name" in params:
            return {"result": {"content": [], "isError": True}}
        return {"error": {"code": -32602, "message": "Unknown tool"}}
    given = [params.get("arguments", {}).get(name) for name in "ab"]
    if not all(isinstance(value, int) for value in given):
        if spoken < "2025-11-25":
            return {"error": {"code": -32602, "message": "a and b are integers"}}
        return {"result": {"content": [{"type": "text", "text": "a and b are integers"}], "isError": True}}
    content = {"sum": str(sum(given)) if CARELESS else sum(given)}
    text = "the sum" if CARELESS else json.dumps(content)
    result = {"content": [{"type": "text", "text": text}]}
    if spoken >= "2025-06-18":
        result["structuredContent"] = content
    return {"result": result}


def answer(message):
    global spoken
    method, params = message["method"], message.get("params", {})
    if method == "initialize":
        asked = params["protocolVersion"]
        spoken = asked if asked in REVISIONS else REVISIONS[-1]
        server = {"name": "adder", "version": "1.0"}
        return {"result": {"protocolVersion": spoken, "capabilities": {"tools": {}}, "serverInfo": server}}
    if method == "ping":
        return {"result": {}}
    if method == "tools/list":
        return {"result": {"tools": [tool()]}}
    if method == "tools/call":
        return call(params)
    return {"error": {"code": -32601, "message": "Method not found"}}


def respond(message):
    return {"jsonrpc": "2.0", "id": message["id"], **answer(message)} if "id" in message else None


for line in sys.stdin:
    try:
        message = json.loads(line)
    except ValueError:
        reply = {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "Parse error"}}
    else:
        reply = [respond(one) for one in message] if isinstance(message, list) else respond(message)
    if reply:
        print(json.dumps(reply), flush=True)
