// A library for RFC 8785 in Go as a testee. It reads the text itself, so that input is text, the default.

package main

import (
	"encoding/base64"
	"os"

	"github.com/gowebpki/jcs"
)

func main() {
	Serve(Testee{
		Name:    "github.com/gowebpki/jcs",
		Version: os.Args[1],
		Shim:    "assize-canon-go",
		Ops:     map[string]map[string][]string{"canon.bytes": {"profile": {"rfc8785"}}},
		Answer: func(asked Request) Answer {
			octets, err := jcs.Transform(asked.Docs["doc"])
			if err != nil {
				// The library does not tell what is not JSON from what is not I-JSON.
				return Reject("A_JSON")
			}
			return Accept(Object{"bytes": base64.StdEncoding.EncodeToString(octets), "sha256": Digest(octets)})
		},
	})
}
