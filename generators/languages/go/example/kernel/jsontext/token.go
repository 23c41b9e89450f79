package jsontext

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// number keeps the token as it stands: no float64 ever sees it.
func (r *reader) number() (*Value, error) {
	start := r.at
	if r.text[r.at] == '-' {
		r.at++
	}
	if r.at < len(r.text) && r.text[r.at] == '0' {
		r.at++
	} else if err := r.digits(); err != nil {
		return nil, err
	}
	if r.at < len(r.text) && r.text[r.at] == '.' {
		r.at++
		if err := r.digits(); err != nil {
			return nil, err
		}
	}
	if r.at < len(r.text) && (r.text[r.at] == 'e' || r.text[r.at] == 'E') {
		r.at++
		if r.at < len(r.text) && (r.text[r.at] == '+' || r.text[r.at] == '-') {
			r.at++
		}
		if err := r.digits(); err != nil {
			return nil, err
		}
	}
	return &Value{Kind: Number, Text: string(r.text[start:r.at])}, nil
}

func (r *reader) digits() error {
	if r.at >= len(r.text) || !isDigit(r.text[r.at]) {
		return r.unexpected("a digit")
	}
	for r.at < len(r.text) && isDigit(r.text[r.at]) {
		r.at++
	}
	return nil
}

// string decodes the string whose quote is the current byte.
func (r *reader) string() (string, error) {
	r.at++
	var out []byte
	for start := r.at; r.at < len(r.text); {
		switch b := r.text[r.at]; {
		case b == '"':
			out = append(out, r.text[start:r.at]...)
			r.at++
			return string(out), nil
		case b < 0x20:
			return "", r.fail("a control character in a string")
		case b == '\\':
			out = append(out, r.text[start:r.at]...)
			var err error
			if out, err = r.escape(out); err != nil {
				return "", err
			}
			start = r.at
		default:
			r.at++
		}
	}
	return "", r.unexpected("a closing quote")
}

// escape decodes the escape whose backslash is the current byte.
func (r *reader) escape(out []byte) ([]byte, error) {
	if r.at+1 >= len(r.text) {
		return nil, r.fail("a backslash at the end")
	}
	letter := r.text[r.at+1]
	if letter == 'u' {
		return r.unicodeEscape(out)
	}
	i := strings.IndexByte(`"\/bfnrt`, letter)
	if i < 0 {
		return nil, r.fail("an unknown escape")
	}
	r.at += 2
	return append(out, "\"\\/\b\f\n\r\t"[i]), nil
}

func (r *reader) unicodeEscape(out []byte) ([]byte, error) {
	first, ok := r.unit()
	if !ok {
		return nil, r.fail(`\u needs four hexadecimal digits`)
	}
	r.at += 6
	if !utf16.IsSurrogate(first) {
		return utf8.AppendRune(out, first), nil
	}
	if second, ok := r.unit(); ok {
		if pair := utf16.DecodeRune(first, second); pair != utf8.RuneError {
			r.at += 6
			return utf8.AppendRune(out, pair), nil
		}
	}
	// utf8.AppendRune would write U+FFFD, and two different strings would
	// become one.
	return append(out, 0xE0|byte(first>>12), 0x80|byte(first>>6)&0x3F, 0x80|byte(first)&0x3F), nil
}

// unit returns the UTF-16 unit of the \u escape at the cursor, if one is there.
func (r *reader) unit() (rune, bool) {
	if r.at+6 > len(r.text) || r.text[r.at] != '\\' || r.text[r.at+1] != 'u' {
		return 0, false
	}
	// ParseUint takes neither signs nor, in base 16, underscores.
	unit, err := strconv.ParseUint(string(r.text[r.at+2:r.at+6]), 16, 16)
	return rune(unit), err == nil
}
