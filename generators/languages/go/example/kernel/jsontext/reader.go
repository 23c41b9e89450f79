package jsontext

import (
	"fmt"
	"unicode/utf8"
)

// Dialect says what counts as JSON, and how much of it. Every dialect is
// strict UTF-8 without a byte order mark.
type Dialect struct {
	// Constants admits NaN, Infinity and -Infinity as number tokens.
	Constants bool
	// Depth is how many containers may be open at once.
	Depth int
}

// The dialects of the specifications.
var (
	// Strict is RFC 8259.
	Strict = Dialect{Depth: 256}
	// Law reads the constants too: numbers without a canonical form.
	Law = Dialect{Constants: true, Depth: 256}
	// Python is what Python's json module reads.
	Python = Dialect{Constants: true, Depth: 994}
)

// maxBytes bounds one document.
const maxBytes = 512 << 20

// SyntaxError tells that a text is not JSON in its dialect.
type SyntaxError struct {
	Offset  int
	Message string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("not JSON at byte %d: %s", e.Offset, e.Message)
}

// LimitError tells that a document exceeds a limit of its dialect.
type LimitError struct{ Message string }

func (e *LimitError) Error() string { return e.Message }

// Parse reads a whole document.
func Parse(text []byte, dialect Dialect) (*Value, error) {
	if len(text) > maxBytes {
		return nil, &LimitError{Message: fmt.Sprintf("more than %d bytes", maxBytes)}
	}
	if !utf8.Valid(text) {
		return nil, &SyntaxError{Message: "not UTF-8"}
	}
	r := &reader{text: text, dialect: dialect}
	value, err := r.value()
	if err != nil {
		return nil, err
	}
	if r.skipSpace(); r.at < len(r.text) {
		return nil, r.fail("text follows the document")
	}
	return value, nil
}

// reader descends recursively: Depth bounds it, and goroutine stacks grow.
type reader struct {
	text    []byte
	at      int
	dialect Dialect
	// depth is how many containers are open.
	depth int
}

func (r *reader) fail(format string, args ...any) error {
	return &SyntaxError{Offset: r.at, Message: fmt.Sprintf(format, args...)}
}

// unexpected complains about the current byte.
func (r *reader) unexpected(wanted string) error {
	if r.at >= len(r.text) {
		return r.fail("the text ends where %s is due", wanted)
	}
	return r.fail("%q where %s is due", r.text[r.at], wanted)
}

func (r *reader) skipSpace() {
	for r.at < len(r.text) {
		switch r.text[r.at] {
		case ' ', '\t', '\n', '\r':
			r.at++
		default:
			return
		}
	}
}

// peek returns the next byte that is not white space, or 0 at the end.
func (r *reader) peek() byte {
	if r.skipSpace(); r.at < len(r.text) {
		return r.text[r.at]
	}
	return 0
}

func (r *reader) take(b byte, name string) error {
	if r.peek() != b {
		return r.unexpected(name)
	}
	r.at++
	return nil
}

func (r *reader) value() (*Value, error) {
	switch b := r.peek(); b {
	case '{':
		return r.object()
	case '[':
		return r.array()
	case '"':
		text, err := r.string()
		return &Value{Kind: String, Text: text}, err
	case 't':
		return r.word("true", Bool)
	case 'f':
		return r.word("false", Bool)
	case 'n':
		return r.word("null", Null)
	case 'N':
		return r.constant("NaN")
	case 'I':
		return r.constant("Infinity")
	case '-':
		if r.at+1 < len(r.text) && r.text[r.at+1] == 'I' {
			return r.constant("-Infinity")
		}
		return r.number()
	default:
		if isDigit(b) {
			return r.number()
		}
		return nil, r.unexpected("a value")
	}
}

func (r *reader) word(word string, kind Kind) (*Value, error) {
	if end := r.at + len(word); end > len(r.text) || string(r.text[r.at:end]) != word {
		return nil, r.fail("a word that is not %s", word)
	}
	r.at += len(word)
	return &Value{Kind: kind, Text: word}, nil
}

func (r *reader) constant(word string) (*Value, error) {
	if !r.dialect.Constants {
		return nil, r.unexpected("a value")
	}
	return r.word(word, Number)
}

func (r *reader) enter() error {
	if r.depth == r.dialect.Depth {
		return &LimitError{Message: fmt.Sprintf("more than %d containers are open", r.dialect.Depth)}
	}
	r.at++
	r.depth++
	return nil
}

func (r *reader) leave() {
	r.at++
	r.depth--
}

func (r *reader) object() (*Value, error) {
	if err := r.enter(); err != nil {
		return nil, err
	}
	v := &Value{Kind: Object}
	for r.peek() != '}' {
		if len(v.Members) > 0 {
			if err := r.take(',', "a comma or the end of the object"); err != nil {
				return nil, err
			}
		}
		if r.peek() != '"' {
			return nil, r.unexpected("a name")
		}
		name, err := r.string()
		if err != nil {
			return nil, err
		}
		if err := r.take(':', "a colon"); err != nil {
			return nil, err
		}
		member, err := r.value()
		if err != nil {
			return nil, err
		}
		v.Members = append(v.Members, Member{Name: name, Value: member})
	}
	r.leave()
	return v, nil
}

func (r *reader) array() (*Value, error) {
	if err := r.enter(); err != nil {
		return nil, err
	}
	v := &Value{Kind: Array}
	for r.peek() != ']' {
		if len(v.Items) > 0 {
			if err := r.take(',', "a comma or the end of the array"); err != nil {
				return nil, err
			}
		}
		item, err := r.value()
		if err != nil {
			return nil, err
		}
		v.Items = append(v.Items, item)
	}
	r.leave()
	return v, nil
}
