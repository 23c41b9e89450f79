// Readers of JSON in Go as testees, beside atp.go and canonical.go: the name of a module and its version. They read the bytes
// themselves, so that input is text.

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"

	goccy "github.com/goccy/go-json"
	jsoniter "github.com/json-iterator/go"
)

// How each is asked.
var libraries = map[string]func([]byte, any) error{
	"encoding/json":               json.Unmarshal,
	"github.com/goccy/go-json":    func(text []byte, into any) error { return goccy.Unmarshal(text, into) },
	"github.com/json-iterator/go": jsoniter.ConfigCompatibleWithStandardLibrary.Unmarshal,
}

func main() {
	name, version := os.Args[1], os.Args[2]
	if name == "encoding/json" && !strings.HasPrefix(runtime.Version()+".", "go"+version+".") {
		fmt.Fprintln(os.Stderr, "this is", runtime.Version())
		os.Exit(1)
	}
	// The depth that each of them has by default.
	Reader(name, version, 10000, libraries[name])
}
