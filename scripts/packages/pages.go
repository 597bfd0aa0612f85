package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"memory-graph/internal/cli"
)

// description is the one line that every package shows.
const description = "A memory for AI agents: an MCP server with a temporal knowledge graph, in one program"

// pages returns a manual page for each command, compressed, and the completions of three shells. The names are places
// below /usr/share.
func pages(version string, at time.Time) ([]file, error) {
	root := cli.Command()
	root.DisableAutoGenTag = true
	files, err := manual(root, &doc.GenManHeader{Section: "1", Date: &at, Source: "memory-graph " + version})
	if err != nil {
		return nil, err
	}
	for _, shell := range []struct {
		place string
		write func(io.Writer) error
	}{
		{"bash-completion/completions/memory-graph", func(w io.Writer) error { return root.GenBashCompletionV2(w, true) }},
		{"zsh/site-functions/_memory-graph", root.GenZshCompletion},
		{"fish/vendor_completions.d/memory-graph.fish", func(w io.Writer) error {
			return root.GenFishCompletion(w, true)
		}},
	} {
		var text bytes.Buffer
		if err := shell.write(&text); err != nil {
			return nil, err
		}
		files = append(files, file{name: shell.place, mode: 0o644, data: text.Bytes()})
	}
	return files, nil
}

// manual returns the pages of a command and of all below it, except hidden ones.
func manual(c *cobra.Command, header *doc.GenManHeader) ([]file, error) {
	var text, packed bytes.Buffer
	own := *header
	if err := doc.GenMan(c, &own, &text); err != nil {
		return nil, err
	}
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(text.Bytes()); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	name := bytes.ReplaceAll([]byte(c.CommandPath()), []byte(" "), []byte("-"))
	files := []file{{name: "man/man1/" + string(name) + ".1.gz", mode: 0o644, data: packed.Bytes()}}
	for _, sub := range c.Commands() {
		if !sub.IsAvailableCommand() || sub.IsAdditionalHelpTopicCommand() {
			continue
		}
		below, err := manual(sub, header)
		if err != nil {
			return nil, err
		}
		files = append(files, below...)
	}
	return files, nil
}
