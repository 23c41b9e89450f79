package tools

import (
	"log"
	"strings"

	"example.org/planted/reply"
)

// Agent answers with a builder of its own.
type Agent struct {
	builder *reply.ReplyBuilder
	log     *log.Logger
}

func NewAgent(rb *reply.ReplyBuilder) *Agent {
	if rb == nil {
		rb = reply.NewReplyBuilder()
	}
	return &Agent{builder: rb}
}

func (a *Agent) Refuse() reply.Reply {
	a.builder.Fail("EN-WRITE-D-001") // fault: reply/no-forbidden-methods
	return a.builder.Denied("EN-WRITE-D-001", nil)
}

func broken(agent *Agent) reply.Reply {
	return agent.builder.Denied("EN-WRITE-D-777", nil) // fault: reply/code-registered
}

type envelope = map[string]any

func follow(answer reply.Reply, packed reply.ReplyEnvelope) string {
	if strings.Contains(answer.Message(), "not found") { // fault: reply/branch-on-code
		return "retry"
	}
	if packed.Error.Message == "denied" { // fault: reply/branch-on-code
		return "ask"
	}
	switch text := strings.ToLower(answer.String()); text { // fault: reply/branch-on-code
	case "ok":
		return "go on"
	}
	if answer.Code == "WA-RES-I-001" && answer.ReplyType == "I" {
		return "retry"
	}
	log.Print("not a builder")
	return "stop"
}

func allowed(rb *reply.ReplyBuilder) reply.Reply {
	// assize: allow reply/no-forbidden-methods the old agents still send it
	rb.Info("old")
	rb.Warn("older") // assize: allow reply/no-forbidden-methods until the agents are gone
	return rb.Success(nil)
}
