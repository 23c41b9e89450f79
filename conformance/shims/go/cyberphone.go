package main

import jcs "github.com/cyberphone/json-canonicalization/go/src/webpki.org/jsoncanonicalizer"

func main() { Containers(jcs.Transform) }
