package main

import "github.com/gibson042/canonicaljson-go"

func main() { Value(canonicaljson.Marshal) }
