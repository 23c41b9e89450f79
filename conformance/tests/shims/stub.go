package main

import "errors"

func main() {
	Value(func(value any) ([]byte, error) {
		switch value.(type) {
		case nil:
			return nil, errors.New("refused")
		case string:
			panic("a slip")
		}
		return []byte("[]"), nil
	})
}
