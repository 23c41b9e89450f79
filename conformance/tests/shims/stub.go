package main

import "errors"

func main() {
	Value(func(value any) ([]byte, error) {
		switch value {
		case nil:
			return nil, errors.New("refused")
		case 0.0:
			panic("a slip")
		}
		return []byte("[]"), nil
	})
}
