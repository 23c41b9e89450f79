package tools

import (
	"container/ring"
	"errors"
	"fmt"
)

// Names that look alike and are something else.
var schema = map[string]any{
	"properties": map[string]any{
		"status":     map[string]any{"type": "string"},
		"reply_type": map[string]any{"enum": []string{"S", "I", "D", "E"}},
		"meta":       map[string]any{"type": "object"},
	},
}

type console struct{ lines []string }

func (c *console) Info(text string) map[string]any {
	return map[string]any{"text": text}
}

func (c *console) Fail(text string) error {
	return errors.New(text)
}

// Builds says which methods there are.
type Builds interface {
	Success(data any) string
	Invalid(code string) string
	Denied(code string) string
	Error(code string) string
}

type buffers struct{ rb *ring.Ring }

type failure struct{ text string }

func (f failure) Error() string { return f.text }

func show(c *console, all []*ring.Ring, b buffers) (map[string]any, error) {
	c.Info("fine")
	if err := c.Fail("x"); err != nil && err.Error() == "x" {
		return nil, fmt.Errorf("failed: %w", err)
	}
	b.rb.Len()
	for _, rb := range all {
		rb.Next()
	}
	rb := failure{"no builder"}
	fmt.Println(rb.Error())
	status := map[string]any{"status": "success", "data": nil}
	return status, nil
}
