package tools

import (
	"context"
	"encoding/json"
	"errors"
	"log"

	"example.org/planted/reply"
)

// Tools whose builder is used in a wrong order, or not at all.
type Tools struct{}

func forbidden(ctx context.Context, args map[string]any) (reply.Reply, error) {
	rb := reply.NewReplyBuilder()
	rb.Info("begun") // fault: reply/no-forbidden-methods
	warn := rb.Warn
	warn("slow")     // fault: reply/no-forbidden-methods
	rb.Partial(args) // fault: reply/builder-api
	return rb.Success(args), nil
}

func (t *Tools) late(ctx context.Context, name string) (reply.Reply, error) {
	rb := reply.NewReplyBuilder()
	if name == "a" {
		answer := rb.Error("WA-READ-E-001", nil) // fault: reply/terminal-return
		log.Print("failed")
		return answer, nil
	}
	if name == "b" {
		rb.Error("WA-READ-E-001", nil) // fault: reply/terminal-return
		return rb.Success(nil), nil    // fault: reply/terminal-freeze
	}
	if name == "c" {
		answer := rb.Error("WA-READ-E-001", nil)
		return answer, nil
	}
	var answer reply.Reply
	switch name {
	case "d":
		answer = rb.Denied("EN-WRITE-D-001", nil)
	case "e":
		answer = rb.Success(nil)
	default:
		answer = rb.Invalid("WA-RES-I-001", nil)
	}
	return answer, nil
}

func second(ctx context.Context, name string) (reply.Reply, error) {
	rb := reply.NewReplyBuilder()
	if name != "" {
		return rb.Invalid("WA-RES-I-001", nil), nil
	}
	other := &reply.ReplyBuilder{} // fault: reply/single-builder
	return other.Success(nil), nil
}

func direct(ctx context.Context, name string) (any, error) {
	if name == "fails" {
		return reply.Reply{}, errors.New("no reply")
	}
	if name != "" {
		return reply.Reply{ReplyType: "S", Code: "WA-RES-S-001"}, nil // fault: reply/single-builder
	}
	return map[string]any{ // fault: reply/envelope-separation reply/no-raw-return
		"status":     "success",
		"reply_type": "S",
		"data":       nil,
		"meta":       map[string]any{},
		"error":      nil,
	}, nil
}

func (t *Tools) raw(ctx context.Context, name string) (any, error) {
	rb := reply.NewReplyBuilder()
	if name == "text" {
		return "done", nil // fault: reply/no-raw-return
	}
	if name == "map" {
		answer := map[string]any{"done": true}
		return answer, nil // fault: reply/no-raw-return
	}
	if name == "json" {
		return json.Marshal(name) // fault: reply/no-raw-return
	}
	if name == "nothing" {
		return nil, nil // fault: reply/no-raw-return
	}
	if name == "declared" {
		var answer map[string]string
		return answer, nil // fault: reply/no-raw-return
	}
	if name == "fails" {
		return nil, errors.New("what the wrapper makes an error of")
	}
	return rb.Success(nil), nil
}

func spelled(name string) string {
	return describe(name) // fault: reply/no-raw-return
}

func forgetful(name string) { // fault: reply/no-raw-return
	rb := reply.NewReplyBuilder()
	rb.Success(nil)
}

func endless(ctx context.Context, name string) (reply.Reply, error) {
	for {
		if name == "" {
			return reply.NewReplyBuilder().Success(nil), nil
		}
	}
}

func unsafe(ctx context.Context, name string) (reply.Reply, error) {
	return reply.NewReplyBuilder().Success(nil), nil
}

func registerWrites(s server, t *Tools) {
	s.AddTool("forbidden", reply.McpSafeTool(forbidden))
	s.AddTool("late", reply.McpSafeTool(t.late))
	s.AddTool("second", reply.McpSafeTool(second))
	s.AddTool("direct", reply.McpSafeTool(direct))
	s.AddTool("raw", reply.McpSafeTool(t.raw))
	s.AddTool("spelled", reply.McpSafeTool(spelled))
	s.AddTool("forgetful", reply.McpSafeTool(forgetful))
	s.AddTool("endless", reply.McpSafeTool(endless))
	s.AddTool("unsafe", unsafe)                         // fault: reply/crash-is-error
	s.AddTool("brief", func(name string) (any, error) { // fault: reply/crash-is-error
		return "done", nil // fault: reply/no-raw-return
	})
}

func describe(name string) string { return name }
