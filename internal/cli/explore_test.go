package cli_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"memory-graph/internal/cli"
	"memory-graph/internal/waitfor"
)

// explore prints one link, serves the page there, and ends when told to.
func TestExplore_PrintsALinkAndEndsWhenTold(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	env := []string{"HOME=" + home, "XDG_DATA_HOME=" + filepath.Join(home, "data"), "XDG_CACHE_HOME=" + cacheHome(),
		"MEMORY_GRAPH_EMBEDDER=none"}
	var out, told bytes.Buffer
	if code := cli.Run(t.Context(), []string{"explore", "--no-open"}, env, nil, &out, &told); code != 1 ||
		!strings.Contains(told.String(), "There is no database") {
		t.Fatalf("without a database: code %d, %s", code, told.String())
	}
	if code := cli.Run(t.Context(), []string{"remember", "I prefer tabs in Go"}, env, nil, io.Discard, &told); code != 0 {
		t.Fatalf("remember: code %d, %s", code, told.String())
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var stdout, stderr lockedBuffer
	code := make(chan int, 1)
	go func() { code <- cli.Run(ctx, []string{"explore", "--no-open"}, env, nil, &stdout, &stderr) }()
	waitfor.Until(t, "it prints the link", func() bool {
		select {
		case c := <-code:
			t.Fatalf("ended with %d before it was told to: %s", c, stderr.String())
		default:
		}
		return strings.Contains(stdout.String(), "\n")
	})
	link := strings.TrimSpace(stdout.String())
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, link, nil)
	if err != nil {
		t.Fatalf("the link is %q: %v", link, err)
	}
	tr := &http.Transport{}
	defer tr.CloseIdleConnections()
	resp, err := tr.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusSeeOther || len(resp.Cookies()) != 1 {
		t.Errorf("the link is answered with %d and %d cookies", resp.StatusCode, len(resp.Cookies()))
	}
	tr.CloseIdleConnections()
	stop()
	if c := <-code; c != 0 {
		t.Errorf("exit code %d: %s", c, stderr.String())
	}
	if strings.Contains(stderr.String(), "key=") {
		t.Errorf("the key is in what goes to stderr: %s", stderr.String())
	}
}
