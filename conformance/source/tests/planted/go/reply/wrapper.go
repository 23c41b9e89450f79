package reply

import (
	"context"
	"time"
)

type Tool func(ctx context.Context, args map[string]any) (Reply, error)

func McpSafeTool(tool Tool) func(context.Context, map[string]any) map[string]any {
	return func(ctx context.Context, args map[string]any) map[string]any {
		began := time.Now()
		reply, err := tool(ctx, args)
		if err != nil {
			reply = crashed()
		}
		return envelope(reply, began)
	}
}

func crashed() Reply {
	return NewReplyBuilder().Error("MCP-SYS-E-001", nil)
}

func envelope(reply Reply, began time.Time) map[string]any {
	status := "error"
	if reply.ReplyType == "S" {
		status = "success"
	}
	return map[string]any{
		"status":     status,
		"reply_type": reply.ReplyType,
		"data":       reply.Data,
		"meta":       map[string]any{"duration_ms": time.Since(began).Milliseconds()},
		"error":      nil,
	}
}
