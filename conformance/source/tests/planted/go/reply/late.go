package reply

// Methods of a type may stand in any file of its package.
func (b *ReplyBuilder) Info(text string) Reply { // fault: reply/no-forbidden-methods
	return b.Success(map[string]any{"info": text})
}

// Finished is a way around the builder.
func Finished(data map[string]any) Reply {
	return Reply{ReplyType: "S", Code: "WA-RES-S-001", Data: data} // fault: reply/single-builder
}
