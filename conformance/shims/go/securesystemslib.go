package main

import "github.com/secure-systems-lab/go-securesystemslib/cjson"

func main() { Value(cjson.EncodeCanonical) }
