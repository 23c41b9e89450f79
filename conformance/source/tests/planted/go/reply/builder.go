package reply

import "errors"

type Reply struct {
	ReplyType string
	Code      string
	Data      map[string]any
}

func (r Reply) Message() string {
	return r.Code
}

type ReplyBuilder struct {
	frozen bool
}

func NewReplyBuilder() *ReplyBuilder {
	return &ReplyBuilder{}
}

func (b *ReplyBuilder) build(kind, code string, data map[string]any) Reply {
	if b.frozen {
		panic(errors.New("frozen"))
	}
	b.frozen = kind != "S"
	return assemble(kind, code, data)
}

func assemble(kind, code string, data map[string]any) Reply {
	return Reply{kind, code, data}
}

func (b *ReplyBuilder) Success(data map[string]any) Reply {
	return b.build("S", "MCP-SYS-S-001", data)
}

func (b *ReplyBuilder) Invalid(code string, data map[string]any) Reply {
	return b.build("I", code, data)
}

func (b *ReplyBuilder) Denied(code string, data map[string]any) Reply {
	return b.build("D", code, data)
}

func (b *ReplyBuilder) Error(code string, data map[string]any) Reply {
	return b.build("E", code, data)
}

func (b *ReplyBuilder) Warn(text string) Reply { // fault: reply/no-forbidden-methods
	return b.Success(map[string]any{"warnings": []string{text}})
}

type QuietBuilder struct { // fault: reply/single-builder
	*ReplyBuilder
}

func (q *QuietBuilder) Error(code string) Reply {
	return q.build("E", code, nil)
}
