// Package tools reads, with its codes given in every way.
package tools

import (
	"context"
	"strings"

	. "example.org/planted/reply"
	codes "example.org/planted/reply"
)

type server interface {
	AddTool(name string, handler any)
}

func find(ctx context.Context, args map[string]any) (Reply, error) {
	rb := codes.NewReplyBuilder()
	name, ok := args["name"].(string)
	if !ok {
		return rb.Invalid("WA-RES-I-001", nil), nil
	}
	if name == "?" {
		return rb.Invalid("wa-res-i-001", nil), nil // fault: reply/code-shape reply/code-registered
	}
	if name == "!" {
		return rb.Invalid(codes.UnknownName, nil), nil
	}
	if name == "old" {
		return rb.Invalid(Retired, nil), nil // fault: reply/code-registered
	}
	if name == "file" {
		return rb.Invalid(string(codes.NoFile), nil), nil
	}
	if name == "disk" {
		return rb.Error(codes.ByName["disk"], nil), nil
	}
	if name == "gone" {
		return rb.Error(codes.ByName["gone"], nil), nil // fault: reply/code-registered
	}
	if name == "changed" {
		return rb.Error(codes.Changed, nil), nil
	}
	if name == "here" {
		return rb.Error(hidden, nil), nil // fault: reply/code-registered
	}
	return rb.Success(map[string]any{"name": name}), nil
}

func gate(ctx context.Context, args map[string]any) (reply Reply, err error) {
	rb := codes.NewReplyBuilder()
	name, _ := args["name"].(string)
	code := codes.Closed
	switch name {
	case "closed":
		return rb.Invalid(string(code), nil), nil
	case "yours":
		return rb.Invalid(string(codes.NotYours), nil), nil // fault: reply/type-agrees
	case "alien":
		return rb.Error(string(codes.Alien), nil), nil // fault: reply/code-registered reply/layer-closed
	case "none":
		return rb.Denied(), nil // fault: reply/builder-api
	}
	opened := codes.Opened
	if name == "open" {
		return rb.Invalid(opened, nil), nil // fault: reply/code-registered reply/contract-area-gate reply/area-registered
	}
	const layer = "EN"
	if name == "en" {
		return rb.Invalid(layer+"-WRITE-I-001", nil), nil // fault: reply/code-registered reply/layer-type-matrix
	}
	if name == "two" {
		reply = rb.Invalid("WA-RES-E-001", nil) // fault: reply/code-registered reply/type-agrees
		return
	}
	// Which of two codes arrives is not for a reader of sources to say.
	answer := "EN-WRITE-D-001"
	if ok, found := args["ok"].(bool); found && ok {
		answer = "EN-WRITE-E-001"
	}
	if strings.HasSuffix(answer, "D-001") {
		return rb.Denied(answer, nil), nil
	}
	return rb.Error(answer, nil), nil
}

func register(s server) {
	s.AddTool("find", McpSafeTool(find))
	s.AddTool("gate", codes.McpSafeTool(gate))
}

func helper(rb *codes.ReplyBuilder, code string) Reply {
	return rb.Invalid(code, nil)
}
