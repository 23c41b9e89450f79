package main

import "github.com/gowebpki/jcs"

func main() { Text(jcs.Transform) }
