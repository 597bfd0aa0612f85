package server_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"memory-graph/internal/config"
	"memory-graph/internal/engine"
	"memory-graph/internal/server"
	"memory-graph/tools"
)

// TestHTTPScripts plays the exchanges in testdata/mcp/http, each with a new database. A request is a block of lines
// that start with "> ": the method and the path, headers, and after an empty header the body. The token, Content-Type
// and Accept are added unless the request sets them; "-" as value leaves the header out. SESSION stands for the last
// session's id. The other lines are the answer, which -update writes: the status, some headers, and the body. Of a
// stream it is the first message, and nothing of a GET.
func TestHTTPScripts(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "mcp", "http", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(file)
			if err != nil || len(archive.Files) != 1 {
				t.Fatalf("%s: %v, or not one file", file, err)
			}
			p := &httpPlayer{t: t, addr: serveNewMemory(t)}
			want := string(archive.Files[0].Data)
			got := p.play(want)
			if *update {
				archive.Files[0].Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("the answers differ; if that is intended, update them with -update:\n%s", diff)
			}
		})
	}
}

// serveNewMemory serves a new database over HTTP and returns the address.
func serveNewMemory(t *testing.T) string {
	t.Helper()
	home := t.TempDir()
	cfg, _, err := config.Load(config.LoadOptions{Env: []string{"HOME=" + home, "LOCALAPPDATA=" + home,
		"MEMORY_GRAPH_DB=" + filepath.Join(home, "memory.db"), "MEMORY_GRAPH_EMBEDDER=none",
		"XDG_CACHE_HOME=" + cacheHome()}})
	if err != nil {
		t.Fatal(err)
	}
	eng, err := engine.Start(cfg, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { eng.Close() }) // after the server, which serveHTTP stops
	addr, _ := serveHTTP(t, tools.Of(eng), func(o *server.Options) { o.HTTP.MaxBodyBytes = 1 << 20 })
	return addr
}

type httpPlayer struct {
	t       *testing.T
	addr    string
	session string
}

// play sends the requests of an exchange and returns it with the answers.
func (p *httpPlayer) play(exchange string) string {
	var out strings.Builder
	var request []string
	lines := append(strings.Split(exchange, "\n"), "")
	for _, line := range lines {
		switch {
		case strings.HasPrefix(line, ">"):
			request = append(request, strings.TrimPrefix(strings.TrimPrefix(line, ">"), " "))
			out.WriteString(line + "\n")
			continue
		case strings.HasPrefix(line, "#"):
			out.WriteString(line + "\n")
		}
		if len(request) > 0 {
			out.WriteString(p.ask(request))
			request = nil
		}
	}
	return out.String()
}

func (p *httpPlayer) ask(request []string) string {
	t := p.t
	t.Helper()
	method, path, _ := strings.Cut(request[0], " ")
	header := http.Header{"Authorization": {"Bearer " + token}}
	if method == http.MethodPost {
		header.Set("Content-Type", "application/json")
		header.Set("Accept", "application/json, text/event-stream")
	}
	var body, host string
	for i, line := range request[1:] {
		if line == "" {
			body = strings.Join(request[i+2:], "\n")
			break
		}
		name, value, _ := strings.Cut(line, ": ")
		switch value = strings.ReplaceAll(value, "SESSION", p.session); {
		case name == "Host":
			host = value
		case value == "-":
			header.Del(name)
		default:
			header.Set(name, value)
		}
	}
	req, err := http.NewRequestWithContext(t.Context(), method, "http://"+p.addr+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header, req.Host = header, host
	tr := &http.Transport{DisableCompression: true}
	defer tr.CloseIdleConnections()
	resp, err := (&http.Client{Transport: tr}).Do(req)
	if err != nil {
		t.Fatalf("%s: %v", request[0], err)
	}
	defer resp.Body.Close()
	if id := resp.Header.Get("Mcp-Session-Id"); id != "" {
		p.session = id
		resp.Header.Set("Mcp-Session-Id", "SESSION")
	}
	var out strings.Builder
	fmt.Fprintln(&out, resp.StatusCode)
	for _, name := range []string{"Content-Type", "Allow", "Mcp-Session-Id", "X-Accel-Buffering", "WWW-Authenticate"} {
		if v := resp.Header.Get(name); v != "" {
			fmt.Fprintf(&out, "%s: %s\n", name, v)
		}
	}
	out.WriteString(p.body(method, resp) + "\n")
	return out.String()
}

// body returns the answer's body in a form that is the same in every run.
func (p *httpPlayer) body(method string, resp *http.Response) string {
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		if method == http.MethodGet {
			return ""
		}
		for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				return tidy(p.t, []byte(data))
			}
		}
		p.t.Error("the stream ended without a message")
		return ""
	}
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	if text := bytes.TrimSpace(b); len(text) > 0 && text[0] == '{' {
		return tidy(p.t, text)
	}
	return string(b)
}
