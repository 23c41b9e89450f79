package jsontext

import (
	"strconv"
	"strings"
)

// Pointer is a JSON Pointer (RFC 6901) in its escaped form; "" is the whole
// document.
type Pointer string

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// Member returns the pointer to a member below p.
func (p Pointer) Member(name string) Pointer {
	return p + "/" + Pointer(pointerEscapes.Replace(Printable(name)))
}

// Index returns the pointer to an element below p.
func (p Pointer) Index(i int) Pointer { return p + "/" + Pointer(strconv.Itoa(i)) }

// Within reports whether p is place, or lies below it.
func (p Pointer) Within(place Pointer) bool {
	rest, ok := strings.CutPrefix(string(p), string(place))
	return ok && (rest == "" || rest[0] == '/')
}
