// Command memory-graph is an MCP server that gives AI agents a memory. It stores turns of conversation and returns what
// is relevant to a question, with the time and the reason. See README.md.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"

	"memory-graph/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	os.Exit(run(ctx, os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr))
}

// run runs the program with everything that it uses of the process and returns the exit code.
func run(ctx context.Context, args, env []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return cli.Run(ctx, args, env, stdin, stdout, stderr)
}
