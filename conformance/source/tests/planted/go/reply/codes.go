package reply

import "fmt"

// Code is a text of its own type.
type Code string

const layer = "WA"

const (
	UnknownName      = "WA-RES-I-001"
	Retired          = "WA-RES-I-009"
	NoFile      Code = layer + "-READ-I-001"
)

// Codes that are known by the type alone.
const (
	Closed   Code = "CT-GATE-I-001"
	NotYours Code = Code("EN-WRITE-D-001")
	Alien    Code = "DB-READ-E-001"
)

var ByName = map[string]string{
	"disk": "WA-READ-E-001",
	"gone": "WA-READ-E-404",
}

var Opened = fmt.Sprintf("%s-OPEN-I-001", "CT")

// Changed is assigned by whoever reads the settings.
var Changed = "WA-READ-E-404"

func Configure(code string) {
	Changed = code
}
