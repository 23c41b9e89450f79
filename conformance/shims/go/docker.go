package main

import "github.com/docker/go/canonical/json"

func main() { Value(json.MarshalCanonical) }
