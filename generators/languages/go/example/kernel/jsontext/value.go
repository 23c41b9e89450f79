// Package jsontext reads JSON without losing what laws are about: how a number
// is spelled, that a name is repeated, and that a surrogate stands alone.
//
// encoding/json keeps none of the three, so it is not used on judged documents.
package jsontext

import "unicode/utf8"

// Kind says what a value is.
type Kind uint8

// The six kinds of JSON values.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

func (k Kind) String() string {
	return [...]string{"null", "a boolean", "a number", "a string", "an array", "an object"}[k]
}

// Value is one JSON value.
type Value struct {
	Kind Kind
	// Text is the token of a number or of a boolean, as it stands in the
	// document, or a string after decoding. A lone surrogate keeps its three
	// bytes, which are not valid UTF-8; all other text is.
	Text string
	// Items are the elements of an array.
	Items []*Value
	// Members are those of an object, in document order, repeated names
	// included.
	Members []Member
}

// Member is a name with its value.
type Member struct {
	Name  string
	Value *Value
}

// Get returns the member of that name, the last one where the name is
// repeated, or nil. Like the other accessors it may be called on nil.
func (v *Value) Get(name string) *Value {
	if v == nil {
		return nil
	}
	for i := len(v.Members) - 1; i >= 0; i-- {
		if v.Members[i].Name == name {
			return v.Members[i].Value
		}
	}
	return nil
}

// Is reports whether there is a value of that kind.
func (v *Value) Is(kind Kind) bool { return v != nil && v.Kind == kind }

// Str returns the decoded string; ok is false for anything else.
func (v *Value) Str() (text string, ok bool) {
	if !v.Is(String) {
		return "", false
	}
	return v.Text, true
}

// HasLoneSurrogate reports whether a decoded string has no UTF-8 form. The
// document was valid UTF-8, so escapes alone can have brought that about.
func HasLoneSurrogate(text string) bool { return !utf8.ValidString(text) }

// NewNull makes a null, which no document holds.
func NewNull() *Value { return &Value{Kind: Null} }

// NewArray makes an empty array.
func NewArray() *Value { return &Value{Kind: Array} }

// NewObject makes an object.
func NewObject(members ...Member) *Value { return &Value{Kind: Object, Members: members} }
