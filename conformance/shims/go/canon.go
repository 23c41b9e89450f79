// Libraries that write canonical JSON in Go as testees. One more is a file like those beside this one: a main that calls
// Text or Value with the library's function.

package main

import (
	"encoding/base64"
	"encoding/json"
	"os"
)

// Text serves a library that reads the text itself, and does not tell what is not JSON from what is not I-JSON; Value one that writes
// what encoding/json has read. That parser refuses overflows and puts U+FFFD in the place of a lone surrogate: neither comes
// through it.
func Text(transform func([]byte) ([]byte, error)) { text(nil, transform) }

// Containers is Text for one that reads objects and arrays alone at the top.
func Containers(transform func([]byte) ([]byte, error)) {
	text(Object{"roots": "containers"}, transform)
}

func text(capabilities Object, transform func([]byte) ([]byte, error)) {
	serve(capabilities, func(text []byte) ([]byte, string, error) {
		octets, err := transform(text)
		return octets, "A_JSON", err
	})
}

// Value is described at Text.
func Value(write func(any) ([]byte, error)) {
	serve(Object{"input": "value", "values": []string{}}, func(text []byte) ([]byte, string, error) {
		var value any
		if err := json.Unmarshal(text, &value); err != nil {
			return nil, "A_JSON", err
		}
		octets, err := write(value)
		return octets, "A_VALUE", err
	})
}

// serve asks for the canonical bytes, or for the code of a refusal with the error that is one.
func serve(capabilities Object, canonical func([]byte) ([]byte, string, error)) {
	Serve(Testee{
		Name:         os.Args[1],
		Version:      os.Args[2],
		Shim:         "assize-canon-go",
		Ops:          map[string]map[string][]string{"canon.bytes": {"profile": {"rfc8785"}}},
		Capabilities: capabilities,
		Answer: func(asked Request) Answer {
			octets, code, err := canonical(asked.Docs["doc"])
			if err != nil {
				return Reject(code)
			}
			return Accept(Object{"bytes": base64.StdEncoding.EncodeToString(octets), "sha256": Digest(octets)})
		},
	})
}
