package clients

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"memory-graph/internal/clients/splice"
	"memory-graph/internal/memory"
)

// script sets OpenCode up in an empty home, and returns the path of its plugin.
func script(t *testing.T, o Options) (Client, Places, string) {
	t.Helper()
	h, _ := Find("opencode")
	p, _ := home(t)
	_, path, err := h.FilesOf(p, "")
	if err != nil {
		t.Fatal(err)
	}
	if install(t, h, p, o) != 2 {
		t.Fatal("not both files were written")
	}
	return h, p, path
}

func TestScript_NamesTheProgramAndKeepsSettings(t *testing.T) {
	t.Parallel()
	o := options()
	o.Program, o.Flags = `/old/memory-graph "1"`, []string{"--db=/a b.db", "--user=Ann"}
	h, p, path := script(t, o)
	for _, want := range []string{`const program = "/old/memory-graph \"1\"";`,
		`const settings = ["--db=/a b.db","--user=Ann"];`} {
		if got := text(t, path); !strings.Contains(got, want) {
			t.Errorf("%s is missing in\n%s", want, got)
		}
	}
	o = options()
	o.Flags = []string{"--user=Bob"}
	changes, err := h.Install(p, o)
	if err := problem(changes, err); err != nil {
		t.Fatal(err)
	}
	if before := changes[1].Before; len(before) != 1 || before[0] != `/old/memory-graph "1"` {
		t.Errorf("before, it started %q", before)
	}
	if got := string(changes[1].After); !strings.Contains(got, `const settings = ["--db=/a b.db","--user=Bob"];`) {
		t.Errorf("the settings are lost:\n%s", got)
	}
}

func TestScript_TakesTheServersSettingsAndName(t *testing.T) {
	t.Parallel()
	h, _ := Find("opencode")
	p, _ := home(t)
	o := options()
	o.Name, o.Env = "ours", []splice.Member{{Name: "MEMORY_GRAPH_USER", Value: "Ann"}}
	install(t, h, p, o)
	_, path, _ := h.FilesOf(p, "")
	if got := text(t, path); !strings.Contains(got, `const settings = ["--user=Ann","--server=ours"];`) {
		t.Errorf("it is\n%s", got)
	}
}

// Each script names its host: in the line that tells that it is ours, and to the hooks.
func TestScript_IsOfItsHost(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"cline", "opencode"} {
		h, _ := Find(id)
		p, _ := home(t)
		install(t, h, p, options())
		_, path, _ := h.FilesOf(p, "")
		got := text(t, path)
		for _, want := range []string{"// memory-graph setup " + id + " wrote", `["hook", "` + id + `", event,`, h.Name} {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q is missing in\n%s", id, want, got)
			}
		}
		for _, e := range h.Hooks.Events {
			if !strings.Contains(got, `"`+e.Name+`"`) {
				t.Errorf("%s: nothing is done at %s", id, e.Name)
			}
		}
	}
}

// In what it says, setup names the server as the host's file and its tools do.
func TestCalling_NamesTheServer(t *testing.T) {
	t.Parallel()
	h, _ := Find("claude-code")
	if got := strings.Join(h.Calling("our mem").Needs, " "); !strings.Contains(got, "`--allowedTools mcp__our_mem`") {
		t.Errorf("it needs %s", got)
	}
	for _, h := range table {
		h = h.Calling("mem")
		if got := h.After + strings.Join(append(h.Needs, h.Notes...), " "); strings.Contains(got, "SERVER") {
			t.Errorf("%s: %s", h.ID, got)
		}
	}
}

// A file of somebody else is neither replaced nor removed, and an edited file of ours is still ours.
func TestScript_IsOursByItsFirstLine(t *testing.T) {
	t.Parallel()
	h, p, path := script(t, options())
	ours := text(t, path)
	put(t, path, "export default 1\n"+ours)
	if uninstall(t, h, p, options()) != 1 {
		t.Error("the entry is not removed, or another file is")
	}
	err := problem(h.Install(p, options()))
	refused(t, err, memory.Conflict, path, "--no-hooks")
	put(t, path, ours+"// mine\n")
	if uninstall(t, h, p, options()) != 1 {
		t.Error("it is not removed")
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("it is left: %v", err)
	}
}

// Editors and git change the ends of lines, and people the settings. Not knowing the file again would leave a script
// that goes on running memory-graph.
func TestScript_IsKnownInAnotherForm(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(string) string{
		"line ends":       func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
		"byte order mark": func(s string) string { return "\ufeff" + s },
		"settings": func(s string) string {
			return strings.Replace(s, "const settings = [];", "const settings = [1];", 1)
		},
		"another program": func(s string) string {
			return strings.Replace(s, "const program = ", "const program = process.env.MG ?? ", 1)
		},
	} {
		h, p, path := script(t, options())
		ours := text(t, path)
		if change(ours) == ours {
			t.Fatalf("%s: nothing was changed", name)
		}
		put(t, path, change(ours))
		if install(t, h, p, options()); text(t, path) != ours {
			t.Errorf("%s: setup does not write it anew", name)
		}
		put(t, path, change(ours))
		if n := uninstall(t, h, p, options()); n != 2 {
			t.Errorf("%s: %d files are changed, want 2", name, n)
		}
		if _, err := os.Stat(path); !os.IsNotExist(err) {
			t.Errorf("%s: it is left: %v", name, err)
		}
	}
}

// A host may give values that JSON has no form for, and messages of another form. Neither may fail the host, nor lose
// the events after it.
func TestScript_NeverFailsItsHost(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("needs node and a shell")
	}
	const cline = `
		const snapshot = { conversationId: "s", messages: [{ role: "user", content: "Hello", id: "1" }] };
		const { hooks } = plugin.default;
		plugin.default.setup({}, {});
		await hooks.beforeRun({ snapshot });
		await hooks.beforeRun({ snapshot: {} });
		const toolCall = { toolName: "bash", toolCallId: "t" };
		await hooks.afterTool({ snapshot, toolCall, input: 1n, result: { output: 1n } });
		await hooks.afterTool({ snapshot, toolCall, input: {}, result: undefined });
		await hooks.afterRun({ snapshot, result: { status: "completed", outputText: "Bye", runId: "r" } });`
	const openCode = `
		const client = { session: { get: async () => ({}), messages: async () => ({}) } };
		const hooks = await plugin.MemoryGraph({ client, directory: "/" });
		const parts = [{ type: "text", text: "Hello", id: "p" }];
		await hooks["chat.message"]({ sessionID: "s" }, { message: { id: "m" }, parts });
		await hooks["tool.execute.after"]({ tool: "bash", sessionID: "s", callID: "c", args: 1n }, { output: 1n });
		await hooks["experimental.text.complete"]({ sessionID: "s", messageID: "n" }, { text: "Bye" });
		await hooks.event({ event: { type: "session.idle", properties: { sessionID: "s" } } });
		await hooks.dispose();`
	for id, run := range map[string]string{"cline": cline, "opencode": openCode} {
		h, _ := Find(id)
		p, dir := home(t)
		o := options()
		o.Program = filepath.Join(dir, "program")
		seen := filepath.Join(dir, "seen")
		if err := os.WriteFile(o.Program, []byte("#!/bin/sh\ncat >>'"+seen+"'\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		install(t, h, p, o)
		_, path, _ := h.FilesOf(p, "")
		module := filepath.Join(dir, "plugin.mjs")
		put(t, module, text(t, path))
		cmd := exec.Command(node, "--input-type=module", "-e", "const plugin = await import(process.argv[1]);"+run, module)
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", id, err, out)
		}
		if got := text(t, seen); !strings.Contains(got, "Hello") || !strings.Contains(got, "Bye") {
			t.Errorf("%s: memory-graph got %q", id, got)
		}
	}
}
