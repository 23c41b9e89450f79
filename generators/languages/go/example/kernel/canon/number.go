package canon

import (
	"fmt"
	"strconv"
	"strings"
)

// maxSafeInteger is 2^53-1, the largest integer that every reader of doubles
// keeps.
const maxSafeInteger = 1<<53 - 1

// isInteger reports whether a number token is spelled as an integer: without
// fraction, exponent, or the letters of NaN and Infinity.
func isInteger(token string) bool { return !strings.ContainsAny(token, ".eENI") }

func sovereignNumber(token string) (string, error) {
	if !isInteger(token) {
		return "", refuse("%s is a float", token)
	}
	if token == "-0" {
		return "", refuse("-0 is not 0")
	}
	return token, nil
}

func episodeNumber(token string) (string, error) {
	if isInteger(token) {
		n, err := strconv.ParseInt(token, 10, 64)
		if err != nil || n > maxSafeInteger || n < -maxSafeInteger {
			return "", refuse("%s is beyond 2^53-1", token)
		}
	}
	return rfc8785Number(token)
}

func rfc8785Number(token string) (string, error) {
	d, err := shortest(token)
	if err != nil {
		return "", err
	}
	return d.ecmaScript(), nil
}

func authorityNumber(token string) (string, error) {
	if token == "-0" {
		return "0", nil
	}
	if isInteger(token) {
		return token, nil
	}
	d, err := shortest(token)
	if err != nil {
		return "", err
	}
	return d.python(), nil
}

// decimal is a double as its shortest digits d1d2..., standing for
// d1.d2... times ten to the power of exponent.
type decimal struct {
	negative bool
	digits   string
	exponent int
}

// shortest reads a token as a double. strconv finds the right digits; its layouts
// are those of neither profile, so only the digits are taken.
func shortest(token string) (decimal, error) {
	if strings.ContainsAny(token, "NI") {
		return decimal{}, refuse("%s is not finite", token)
	}
	value, err := strconv.ParseFloat(token, 64)
	if err != nil {
		return decimal{}, refuse("%s is beyond the range of doubles", token)
	}
	text := strconv.FormatFloat(value, 'e', -1, 64)
	mantissa, exponent, _ := strings.Cut(text, "e")
	digits, negative := strings.CutPrefix(mantissa, "-")
	d := decimal{negative: negative, digits: strings.Replace(digits, ".", "", 1)}
	d.exponent, err = strconv.Atoi(exponent)
	return d, err
}

func (d decimal) sign() string {
	if d.negative {
		return "-"
	}
	return ""
}

// positional writes the digits with the point where the exponent puts it, and
// none after an integer.
func (d decimal) positional() string {
	point := d.exponent + 1
	switch {
	case point <= 0:
		return "0." + strings.Repeat("0", -point) + d.digits
	case point >= len(d.digits):
		return d.digits + strings.Repeat("0", point-len(d.digits))
	default:
		return d.digits[:point] + "." + d.digits[point:]
	}
}

func (d decimal) mantissa() string {
	if len(d.digits) == 1 {
		return d.digits
	}
	return d.digits[:1] + "." + d.digits[1:]
}

// ecmaScript is the layout of Number::toString; zero has no sign there.
func (d decimal) ecmaScript() string {
	if d.digits == "0" {
		return "0"
	}
	if -7 < d.exponent && d.exponent < 21 {
		return d.sign() + d.positional()
	}
	return fmt.Sprintf("%s%se%+d", d.sign(), d.mantissa(), d.exponent)
}

// python is the layout of repr: always a point or an exponent, and two digits
// of the latter at least.
func (d decimal) python() string {
	if d.exponent < -4 || d.exponent >= 16 {
		return fmt.Sprintf("%s%se%+03d", d.sign(), d.mantissa(), d.exponent)
	}
	text := d.positional()
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return d.sign() + text
}
