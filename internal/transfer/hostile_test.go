package transfer_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memory-graph/internal/memory"
	"memory-graph/internal/transfer"
)

// saidIn reads a file and returns the contents of its turns, and the problems.
func saidIn(t *testing.T, f transfer.Format, text string) (turns, problems []string) {
	t.Helper()
	err := transfer.Read(t.Context(), f, strings.NewReader(text), transfer.Sink{
		Entity:   func(int, memory.ReferenceEntity) error { return nil },
		Relation: func(int, memory.ReferenceRelation) error { return nil },
		Turn:     func(x transfer.Message) error { turns = append(turns, x.Content); return nil },
		Problem:  func(line int, why string) { problems = append(problems, fmt.Sprintf("%d: %s", line, why)) },
		Note:     func(int, string) {}, Passed: func(int, transfer.Passed) {},
	})
	if err != nil {
		t.Fatal(err)
	}
	return turns, problems
}

func TestRead_WhatIsNestedTooDeepFailsByItself(t *testing.T) {
	t.Parallel()
	conversation := func(name, extra string) string {
		return fmt.Sprintf(`{"uuid":"%s","name":"%s",%s"chat_messages":[{"uuid":"1","sender":"human","text":"[{ %s \" ]}"}]}`,
			name, name, extra, name)
	}
	for _, depth := range []int{1000, 20_000, 1_000_000} {
		nested := strings.Repeat("[", depth) + strings.Repeat("]", depth)
		objects := strings.Repeat(`{"a":`, depth) + "1" + strings.Repeat("}", depth)
		for name, deep := range map[string]string{"lists": nested, "objects": objects} {
			list := "[" + conversation("one", "") + ",\n" + conversation("two", `"x":`+deep+`,`) + ",\n" +
				conversation("three", "") + "]"
			for form, text := range map[string]string{"list": list,
				"field": `{"version":1,"conversations":` + list + `,"more":` + deep + `}`} {
				turns, problems := saidIn(t, transfer.Claude, text)
				if got := strings.Join(turns, "|"); got != `[{ one " ]}|[{ three " ]}` || len(problems) != 1 ||
					!strings.HasPrefix(problems[0], "2: it is nested deeper than") {
					t.Errorf("%s %d, %s: %q, %.200q", name, depth, form, got, problems)
				}
			}
			_, problems := saidIn(t, transfer.Reference, `{"type":"entity","name":"a","entityType":"b","observations":[`+deep+
				`]}`+"\n"+`{"type":"entity","name":"a","entityType":"b","observations":[]}`)
			if depth > 10_000 && (len(problems) != 1 || problems[0] != "1: it is nested too deep") {
				t.Errorf("%s %d, a line: %.200q", name, depth, problems)
			}
		}
	}
	if _, problems := saidIn(t, transfer.ChatGPT, strings.Repeat("[", 3_000_000)); len(problems) == 0 {
		t.Error("a file of brackets is accepted")
	}
}

// packed writes a zip with conversations.json in it.
func packed(t *testing.T, header zip.FileHeader, write func(io.Writer)) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	header.Name = "conversations.json"
	create := z.CreateHeader
	if header.UncompressedSize64 > 0 {
		create = z.CreateRaw
	}
	w, err := create(&header)
	if err != nil {
		t.Fatal(err)
	}
	write(w)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "export.zip")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// spaces writes n MiB of spaces.
func spaces(mib int) func(io.Writer) {
	return func(w io.Writer) {
		some := bytes.Repeat([]byte(" "), 1<<20)
		for range mib {
			_, _ = w.Write(some) // in memory
		}
	}
}

func TestOpen_RefusesAZipThatUnpacksToFarMore(t *testing.T) {
	t.Parallel()
	zipped := func(w io.Writer) { z := gzip.NewWriter(w); spaces(66)(z); _ = z.Close() }
	gz := filepath.Join(t.TempDir(), "a.json.gz")
	var b bytes.Buffer
	zipped(&b)
	if err := os.WriteFile(gz, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{"zip": packed(t, zip.FileHeader{Method: zip.Deflate}, spaces(66)),
		"gzip":          gz,
		"gzip in a zip": packed(t, zip.FileHeader{Method: zip.Deflate}, zipped)} {
		src, err := transfer.Open(t.Context(), path)
		if err == nil {
			_, err = io.Copy(io.Discard, src)
			_ = src.Close()
		}
		if e := memory.AsError(err); err == nil || e.Code != memory.TooLarge || !strings.Contains(e.Message, "200 times") ||
			!strings.Contains(e.Hint, "unpack it") {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := transfer.Open(t.Context(),
		packed(t, zip.FileHeader{Method: zip.Store, UncompressedSize64: 5 << 30, CompressedSize64: 2},
			func(w io.Writer) { _, _ = w.Write([]byte("[]")) }))
	if e := memory.AsError(err); err == nil || e.Code != memory.TooLarge || !strings.Contains(e.Message, "4 GiB") {
		t.Errorf("%v", err)
	}
}

func TestFromStream_EndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe() // a stream without data
	defer w.Close()
	cancel()
	if _, err := transfer.FromStream(ctx, r); err == nil || !strings.Contains(err.Error(), context.Canceled.Error()) {
		t.Errorf("%v", err)
	}
}
