// What every reader of JSON in Go needs as a testee, beside atp.go: the value that it has read is written by RFC 8785; text that is
// not UTF-8 as it came, since it was not refused.

package main

import (
	"encoding/base64"
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"
	"unicode/utf16"
)

// Reader serves one reader, which stops at a depth.
func Reader(name, version string, depth int, read func([]byte, any) error) {
	Serve(Testee{
		Name:         name,
		Version:      version,
		Shim:         "assize-read-go",
		Ops:          map[string]map[string][]string{"canon.bytes": {"profile": {"rfc8785"}}},
		Capabilities: Object{"max_depth": depth},
		Answer: func(asked Request) Answer {
			var value any
			if err := read(asked.Docs["doc"], &value); err != nil {
				// All of them have these words.
				if strings.Contains(err.Error(), "exceeded max depth") {
					return Reject("A_LIMIT")
				}
				return Reject("A_JSON")
			}
			octets := []byte(canonical(value))
			return Accept(Object{"bytes": base64.StdEncoding.EncodeToString(octets), "sha256": Digest(octets)})
		},
	})
}

// canonical is a value of Go as RFC 8785 has it.
func canonical(value any) string {
	switch value := value.(type) {
	case map[string]any:
		names := make([]string, 0, len(value))
		for name := range value {
			names = append(names, name)
		}
		sort.Slice(names, func(one, other int) bool { return before(names[one], names[other]) })
		for at, name := range names {
			names[at] = quoted(name) + ":" + canonical(value[name])
		}
		return "{" + strings.Join(names, ",") + "}"
	case []any:
		elements := make([]string, len(value))
		for at, element := range value {
			elements[at] = canonical(element)
		}
		return "[" + strings.Join(elements, ",") + "]"
	case string:
		return quoted(value)
	case float64:
		return number(value)
	case bool:
		return strconv.FormatBool(value)
	case nil:
		return "null"
	default:
		panic(fmt.Sprintf("no value of JSON: %T", value))
	}
}

// before tells the order of names by the units of UTF-16.
func before(one, other string) bool {
	left, right := utf16.Encode([]rune(one)), utf16.Encode([]rune(other))
	for at := 0; at < len(left) && at < len(right); at++ {
		if left[at] != right[at] {
			return left[at] < right[at]
		}
	}
	return len(left) < len(right)
}

func quoted(text string) string {
	var made strings.Builder
	made.WriteByte('"')
	for at := 0; at < len(text); at++ {
		if short := strings.IndexByte("\"\\\b\f\n\r\t", text[at]); short >= 0 {
			made.WriteString(`\` + `"\bfnrt`[short:short+1])
		} else if text[at] < 0x20 {
			fmt.Fprintf(&made, `\u%04x`, text[at])
		} else {
			made.WriteByte(text[at])
		}
	}
	made.WriteByte('"')
	return made.String()
}

// number is ECMAScript's spelling: strconv has the same digits, the fewest that tell the double.
func number(value float64) string {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		// No text of JSON has it. It goes out as it came, since it was not refused.
		return strconv.FormatFloat(value, 'g', -1, 64)
	}
	if value == 0 {
		return "0"
	}
	mantissa, power, _ := strings.Cut(strconv.FormatFloat(math.Abs(value), 'e', -1, 64), "e")
	digits, sign := strings.Replace(mantissa, ".", "", 1), ""
	exponent, _ := strconv.Atoi(power)
	if value < 0 {
		sign = "-"
	}
	switch count, point := len(digits), exponent+1; {
	case count <= point && point <= 21:
		return sign + digits + strings.Repeat("0", point-count)
	case 0 < point && point <= 21:
		return sign + digits[:point] + "." + digits[point:]
	case -6 < point && point <= 0:
		return sign + "0." + strings.Repeat("0", -point) + digits
	default:
		return fmt.Sprintf("%s%se%+d", sign, mantissa, exponent)
	}
}
