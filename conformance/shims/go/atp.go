// The testee's side of ATP/1, the line protocol of Assize, for testees and shims in Go, with the standard library alone: copy
// this file next to your own and write a function from a Request to an Answer. Standard output belongs to the protocol.

package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

const (
	protocol = 1
	badInput = 3
)

// Object is a JSON object of a frame.
type Object = map[string]any

// Request is one question. Docs holds the exact bytes to judge; Root is the case's folder, if it has one.
type Request struct {
	Op   string
	Args Object
	Docs map[string][]byte
	Root string
	MS   int
}

// Answer is the frame that is owed, without its id and its receipts.
type Answer Object

// Accept says that the implementation accepts; out as it travels: doc as JSON text, bytes as base64, value as plain JSON.
func Accept(out Object) Answer { return Answer{"t": "answer", "is": "accept", "out": out} }

// Reject says that the implementation refuses. This is a judgement: a panic is not one.
func Reject(codes ...string) Answer { return Answer{"t": "answer", "is": "reject", "codes": codes} }

// Fault says that the implementation broke, and nobody knows what it would have said.
func Fault(kind, message string) Answer {
	return Answer{"t": "fault", "kind": kind, "message": message}
}

// Digest is the SHA-256 of octets as it travels.
func Digest(octets []byte) string {
	sum := sha256.Sum256(octets)
	return hex.EncodeToString(sum[:])
}

// Testee is what hello says, and the function that answers.
type Testee struct {
	Name, Version, Shim string
	Ops                 map[string]map[string][]string
	Capabilities        Object
	Answer              func(Request) Answer
}

type frame struct {
	T      string
	ID     *string
	Proto  []int
	Limits struct{ Line int }
	Op     string
	Args   Object
	In     map[string]struct{ B64, SHA256 string }
	Root   string
	MS     int
	N      json.Number
}

type session struct {
	Testee
	out     *bufio.Writer
	limit   int
	greeted bool
	served  int
	chain   string
}

// Serve serves one session over standard input and output, and ends the process.
func Serve(testee Testee) {
	s := &session{Testee: testee, out: bufio.NewWriter(os.Stdout), limit: 8 << 20, chain: fmt.Sprintf("%064d", 0)}
	if err := s.run(bufio.NewReaderSize(os.Stdin, 1<<16)); err != nil {
		fmt.Fprintf(os.Stderr, "atp: %v; see the protocol's page for the frames\n", err)
		os.Exit(badInput)
	}
	os.Exit(0)
}

func (s *session) run(in *bufio.Reader) error {
	for {
		line, err := s.read(in)
		if err != nil || line == nil {
			return err
		}
		var asked frame
		if err := json.Unmarshal(line, &asked); err != nil {
			return err
		}
		if last, err := s.step(asked); last || err != nil {
			return err
		}
	}
}

// read is the next line without its line feed; nil at the end of the input.
func (s *session) read(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == nil && len(line) <= s.limit+1:
			return line[:len(line)-1], nil
		case err == io.EOF && len(line) == 0:
			return nil, nil
		case len(line) > s.limit:
			return nil, errors.New("a line that is too long")
		case err != nil && err != bufio.ErrBufferFull:
			return nil, fmt.Errorf("a line without its line feed: %w", err)
		}
	}
}

// step does what one line asks; true when it was the last one.
func (s *session) step(asked frame) (bool, error) {
	switch {
	case asked.T == "hello" && !s.greeted && len(asked.Proto) == 2:
		if protocol < asked.Proto[0] || protocol > asked.Proto[1] {
			return true, s.write(Answer{"t": "refuse", "why": "proto", "supported": []int{protocol}})
		}
		s.greeted = true
		if asked.Limits.Line > 0 {
			s.limit = asked.Limits.Line
		}
		hello := Answer{
			"t": "hello", "proto": protocol, "ops": s.Ops, "in_flight": 1,
			"testee": Object{"name": s.Name, "version": s.Version, "lang": "go"},
			"shim":   Object{"name": s.Shim, "version": "1"},
		}
		if s.Capabilities != nil {
			hello["capabilities"] = s.Capabilities
		}
		return false, s.write(hello)
	case asked.T == "case" && s.greeted && asked.ID != nil:
		return false, s.reply(*asked.ID, s.judge(asked))
	case asked.T == "ping" && s.greeted:
		return false, s.write(Answer{"t": "pong", "n": asked.N})
	case asked.T == "bye" && s.greeted:
		return true, s.write(Answer{"t": "bye", "served": s.served, "chain": s.chain})
	}
	return false, fmt.Errorf("a frame %q that has no place here", asked.T)
}

// judge is the answer to a question; what the implementation lets escape is a fault, never a rejection.
func (s *session) judge(asked frame) (said Answer) {
	docs, seen := map[string][]byte{}, map[string]string{}
	for name, parcel := range asked.In {
		octets, err := base64.StdEncoding.DecodeString(parcel.B64)
		docs[name], seen[name] = octets, Digest(octets)
		if err != nil || seen[name] != parcel.SHA256 {
			return Fault("receipt", fmt.Sprintf("in.%s: the bytes have SHA-256 %s, error %v", name, seen[name], err))
		}
	}
	choices, declared := s.Ops[asked.Op]
	if !declared {
		return Answer{"t": "unsupported", "feature": asked.Op}
	}
	for name, values := range choices {
		known := false
		for _, value := range values {
			known = known || asked.Args[name] == value
		}
		if !known {
			return Answer{"t": "unsupported", "feature": fmt.Sprintf("%s/%v", asked.Op, asked.Args[name])}
		}
	}
	defer func() {
		if broken := recover(); broken != nil {
			said = Fault("panic", fmt.Sprint(broken))
		}
	}()
	said = s.Answer(Request{asked.Op, asked.Args, docs, asked.Root, asked.MS})
	if said["t"] == "answer" {
		said["seen"] = seen
	}
	return said
}

// reply writes an answer, and counts it once it is written.
func (s *session) reply(id string, said Answer) error {
	said["id"] = id
	line, err := json.Marshal(said)
	if err == nil && len(line) > s.limit {
		said = Fault("limit", "the answer is longer than limits.line")
		said["id"] = id
	}
	if err := s.write(said); err != nil {
		return err
	}
	if said["t"] == "answer" {
		s.served++
		s.chain = Digest([]byte(fmt.Sprintf("%s\n%s\n%s", s.chain, id, said["is"])))
	}
	return nil
}

// write writes one line and passes it on at once: the harness waits for it.
func (s *session) write(said Answer) error {
	line, err := json.Marshal(said)
	if err != nil {
		return err
	}
	s.out.Write(append(line, '\n'))
	return s.out.Flush()
}
