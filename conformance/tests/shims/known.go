package main

import "encoding/json"

func main() { Reader("encoding/json", "known", 10000, json.Unmarshal) }
