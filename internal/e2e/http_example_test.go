package e2e_test

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The commands that the page shows for a running server work as they stand, except for the port: one for each era of
// the protocol, and one without the protocol.
func TestDocs_RequestsOverHTTPWorkAsShown(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"sh", "curl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is missing", tool)
		}
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "commands.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## Serve over HTTP\n")
	section, _, _ = strings.Cut(section, "\n## ")
	shown := regexp.MustCompile("(?s)```sh\n(curl .*?)```").FindAllStringSubmatch(section, -1)
	wants := []string{
		`"resultType":"complete".*"strategy":`,         // 2026-07-28
		`"protocolVersion":"2025-11-25".*"serverInfo"`, // 2025-11-25
		`^\{"namespace":`,                              // plain JSON
	}
	if len(shown) != len(wants) {
		t.Fatalf("the page shows %d requests, want %d", len(shown), len(wants))
	}

	home := t.TempDir()
	env := append(environment(home), "PATH="+filepath.Dir(program)+string(os.PathListSeparator)+os.Getenv("PATH"))
	server := exec.CommandContext(t.Context(), program, "serve", "--http", "127.0.0.1:0")
	server.Env = env
	stderr, err := server.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Process.Kill(); _ = server.Wait() })
	line, err := bufio.NewReader(stderr).ReadString('\n')
	at := regexp.MustCompile(`http://([^/]+)/mcp`).FindStringSubmatch(line)
	if at == nil {
		t.Fatalf("no address: %q, %v", line, err)
	}
	go func() { _, _ = io.Copy(io.Discard, stderr) }() // the log must not block the server

	for i, block := range shown {
		c := exec.CommandContext(t.Context(), "sh", "-c", strings.ReplaceAll(block[1], "127.0.0.1:8765", at[1]))
		c.Env = env
		out, err := c.Output()
		if err != nil || !regexp.MustCompile(wants[i]).Match(out) {
			t.Errorf("%s%v: answered %.500s, want %s", block[1], err, out, wants[i])
		}
	}
}
