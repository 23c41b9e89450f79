package reply

type ReplyRegistry struct {
	codes []string
}

func NewReplyRegistry(codes ...string) *ReplyRegistry {
	return &ReplyRegistry{codes: codes}
}

var canonical = NewReplyRegistry("WA-RES-I-001")
var legacy = &ReplyRegistry{codes: []string{"WA-RES-I-001"}} // fault: reply/single-registry
