package clients

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/clients/splice"
	"memory-graph/internal/memory"
)

// renamed is a program under another name that no longer exists.
func renamed(t *testing.T) string { t.Helper(); return filepath.Join(t.TempDir(), "nm", "my mg") }

// A program of another name is recognised by the rest of its entries. Its path is corrected and reported.
func TestInstall_CorrectsAProgramOfAnotherName(t *testing.T) {
	t.Parallel()
	eachClient(t, func(t *testing.T, h Client) {
		p, _ := home(t)
		old := options()
		old.Program = renamed(t)
		install(t, h, p, old)
		changes, err := h.Install(p, options())
		if carryOut(t, changes, err) != len(changes) {
			t.Fatalf("not every file was corrected: %+v", changes)
		}
		for _, c := range changes {
			if strings.Contains(string(c.After), "my mg") || !slices.Equal(c.Before, []string{old.Program}) {
				t.Errorf("%s: before %q, now\n%s", c.Path, c.Before, c.After)
			}
		}
		if n := install(t, h, p, options()); n != 0 {
			t.Errorf("a second time wrote %d files", n)
		}
	})
}

// A hook of a missing program and a hook of the current program become one. A hook with other settings stays.
func TestInstall_MakesOneOfTwoThatBecomeTheSame(t *testing.T) {
	t.Parallel()
	h, p, _, dir := cursor(t)
	hooks := filepath.Join(dir, ".cursor", "hooks.json")
	gone := filepath.Join(dir, "mg")
	line := strings.ReplaceAll(h.command(p.system, options(), "sessionStart"), `"`, `\"`)
	put(t, hooks, `{"version": 1, "hooks": {"sessionStart": [
		{"command": "`+filepath.ToSlash(gone)+` hook cursor sessionStart"},
		{"command": "somebody-else"},
		{"command": "`+line+`"},
		{"command": "`+line+` --db=/other.db"}
	]}}`)
	install(t, h, p, options())
	got := text(t, hooks)
	if n := strings.Count(got, "hook cursor sessionStart\""); n != 1 {
		t.Errorf("there are %d entries of ours:\n%s", n, got)
	}
	for _, part := range []string{"somebody-else", "--db=/other.db"} {
		if !strings.Contains(got, part) {
			t.Errorf("%s is lost:\n%s", part, got)
		}
	}
	if n := install(t, h, p, options()); n != 0 {
		t.Errorf("a second time wrote %d files", n)
	}
}

func TestUninstall_TakesAProgramOfAnotherName(t *testing.T) {
	t.Parallel()
	eachClient(t, func(t *testing.T, h Client) {
		p, dir := home(t)
		old := options()
		old.Program = renamed(t)
		install(t, h, p, old)
		uninstall(t, h, p, options())
		leftovers(t, dir)
	})
}

// The criteria for our own entries.
func TestIsOurs_GoesByWhatCanBeSeen(t *testing.T) {
	t.Parallel()
	self, err := os.Executable() // a program of this module, under another name
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	script := filepath.Join(dir, "server")
	put(t, script, "#!/bin/sh\n")
	absent := filepath.Join(dir, "absent")
	ours := splice.Object{{Name: "MEMORY_GRAPH_USER", Value: "Ann"}}
	theirs := splice.Object{{Name: "TOKEN", Value: "x"}}
	for _, c := range []struct {
		name, command string
		args          []any
		env           splice.Object
		want          bool
	}{
		{"memory-graph", program, nil, nil, true},
		{"other", program, []any{"serve", "--db", "x"}, nil, true},
		{"other", "memory-graph", []any{"serve"}, nil, true},
		{"other", `C:\x\Memory-Graph.EXE`, []any{"serve"}, nil, true},
		{"other", self, []any{"serve"}, nil, true},
		{"other", self, []any{"something"}, nil, false},
		{"other", filepath.Join(dir, "memory-graph_linux_amd64"), []any{"serve"}, nil, true},
		{"other", filepath.Join(dir, "memory-graph-view"), []any{"--port", "1"}, nil, false},
		{"memory-graph", absent, []any{"serve"}, nil, true},
		{"memory-graph", absent, []any{"serve", "--all"}, nil, false},
		{"other", absent, []any{"serve"}, nil, false},
		{"other", absent, []any{"serve"}, theirs, false},
		{"other", absent, []any{"serve"}, ours, true},
		{"memory-graph", script, []any{"serve"}, nil, false},
		{"memory-graph", script, []any{"serve"}, ours, true},
		{"memory-graph", "npx", []any{"serve"}, nil, false},
		{"memory-graph", "", []any{"serve"}, nil, false},
	} {
		entry := splice.Object{{Name: "command", Value: c.command}}
		if c.args != nil {
			entry = append(entry, splice.Member{Name: "args", Value: c.args})
		}
		if c.env != nil {
			entry = append(entry, splice.Member{Name: "env", Value: c.env})
		}
		if got := (Servers{}).isOurs(c.name, entry, options()); got != c.want {
			t.Errorf("%s, %s %v %v: ours %v, want %v", c.name, c.command, c.args, c.env, got, c.want)
		}
	}
}

func TestIsOurHook_GoesByTheExactArguments(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	script := filepath.Join(dir, "recorder")
	put(t, script, "#!/bin/sh\n")
	h, _ := Find("claude-code")
	for line, want := range map[string]bool{
		"/opt/memory-graph hook claude-code Stop":                     true,
		"'/opt/a b/memory-graph' hook claude-code Stop --user=Ann":    true,
		`"C:/a b/memory-graph.exe" hook claude-code Stop`:             true,
		"env A=1 /opt/memory-graph hook claude-code Stop 2>/dev/null": true,
		filepath.Join(dir, "mg") + " hook claude-code Stop":           true,
		"'" + filepath.Join(dir, "my mg") + "' hook claude-code Stop": true,
		filepath.Join(dir, "mg") + " hook claude-code StopNow":        false,
		filepath.Join(dir, "mg") + " hook codex Stop":                 false,
		filepath.Join(dir, "mg") + " hooks claude-code Stop":          false,
		script + " hook claude-code Stop":                             false,
		"recorder hook claude-code Stop":                              false,
		"echo memory-graph":                                           false,
		"hook claude-code Stop":                                       false,
	} {
		if got := h.isOurHook(line, "linux", options(), "Stop"); got != want {
			t.Errorf("%s: ours %v, want %v", line, got, want)
		}
	}
}

// Only the program of a line is replaced: text around it stays.
func TestMoved_KeepsTheRestOfTheLine(t *testing.T) {
	t.Parallel()
	h, _ := Find("claude-code")
	for line, want := range map[string]string{
		"/a/memory-graph hook claude-code Stop": "'" + program + "' hook claude-code Stop",
		"env A=1 '/a b/memory-graph' hook claude-code Stop --user=Ann": "env A=1 '" + program +
			"' hook claude-code Stop --user=Ann",
		`nice /a\ b/memory-graph hook claude-code Stop 2>>/tmp/hooks.log`: "nice '" + program +
			"' hook claude-code Stop 2>>/tmp/hooks.log",
	} {
		if got := h.moved(line, "linux", options(), "Stop"); got != want {
			t.Errorf("%s became %s, want %s", line, got, want)
		}
	}
}

// New settings replace those of the same name, and nothing else in the line changes.
func TestMoved_ReplacesTheSettingsThatAreGiven(t *testing.T) {
	t.Parallel()
	h, _ := Find("claude-code")
	o := Options{Program: "/opt/mg", Flags: []string{"--user=Bob B", "--toolsets=core"}}
	const new = "'--user=Bob B' --toolsets=core"
	for behind, want := range map[string]string{
		"":                                     " " + new,
		" --db=/a.db":                          " --db=/a.db " + new,
		" --user=Ann --db=/a.db":               " '--user=Bob B' --db=/a.db --toolsets=core",
		" '--user=Ann O''Neil' --db=/a.db":     " '--user=Bob B' --db=/a.db --toolsets=core",
		` --user="Bob B" --toolsets=core`:      ` --user="Bob B" --toolsets=core`,
		` --user=Bob\ B --user=Ann`:            ` --user=Bob\ B '--user=Bob B' --toolsets=core`,
		" --db=/a.db 2>>/tmp/mg.log":           " --db=/a.db " + new + " 2>>/tmp/mg.log",
		" --db=/a.db >/dev/null 2>&1 || true":  " --db=/a.db " + new + " >/dev/null 2>&1 || true",
		" 2>>mg.log --user=Ann; echo --user=A": " 2>>mg.log " + new + "; echo --user=A",
		" --max 1s &>x":                        " --max 1s " + new + " &>x",
		" --user=$(id -un) # --toolsets=mine":  " " + new + " # --toolsets=mine",
		" --project=$(a $(b c) d)":             " --project=$(a $(b c) d) " + new,
		" --users=Ann":                         " --users=Ann " + new,
		" --user='Ann":                         " " + new, // no shell can parse it
	} {
		got := h.moved("env A=1 /opt/mg hook claude-code Stop"+behind, "linux", o, "Stop")
		want = "env A=1 /opt/mg hook claude-code Stop" + want
		if strings.HasSuffix(behind, "'Ann") {
			want = strings.TrimPrefix(want, "env A=1 ")
		}
		if got != want {
			t.Errorf("%q\nbecame %s\nwant   %s", behind, got, want)
		}
	}
}

// Settings are in the line after withSettings, whatever else it contains. A second call changes nothing.
func FuzzWithSettings(f *testing.F) {
	for _, s := range []string{"", " --user=Ann 2>>log", ` "--user=a b" 'x' | tee`, " --user=$(a (b)) `c d` # e",
		` --user=\'`, " >&2 <x"} {
		f.Add(s, "Ann B")
	}
	f.Fuzz(func(t *testing.T, tail, user string) {
		for _, system := range []string{"linux", "windows"} {
			flags := []string{"--user=" + user, "--db=/a"}
			h, _ := Find("codex")
			if h.sayable(system, Options{Flags: flags, Hooks: true}) != nil {
				continue
			}
			once, ok := withSettings(system, " "+tail, flags) // the text after an event's name
			if !ok {
				continue
			}
			args, ok := arguments(system, once)
			for _, flag := range flags {
				if !slices.ContainsFunc(args, func(a argument) bool { return a.text == flag }) {
					t.Fatalf("%s: %q became %q, without %q", system, tail, once, flag)
				}
			}
			if twice, again := withSettings(system, once, flags); !ok || !again || twice != once {
				t.Fatalf("%s: %q became %q and then %q", system, tail, once, twice)
			}
		}
	})
}

// A second setup changes only what it names, in the hooks and in the server's entry.
func TestInstall_KeepsTheSettingsThatAreNotGivenAnew(t *testing.T) {
	t.Parallel()
	eachClient(t, func(t *testing.T, h Client) {
		if !listsHooks(h) {
			return
		}
		p, _ := home(t)
		_, hooks, err := h.FilesOf(p, "")
		if err != nil {
			t.Fatal(err)
		}
		o := options()
		o.Flags = []string{"--db=/home/ann/a.db"}
		install(t, h, p, o)
		put(t, hooks, strings.ReplaceAll(text(t, hooks), "/a.db", "/a.db 2>>/tmp/mg.log"))
		o.Flags = []string{"--user=Ann"}
		install(t, h, p, o)
		if got := text(t, hooks); strings.Count(got, "--db=/home/ann/a.db --user=Ann 2>>/tmp/mg.log") != len(h.Hooks.Events) {
			t.Errorf("the hooks are\n%s", got)
		}
	})
}

// A new setting replaces the old one in the entry, in any form of the entry.
func TestInstall_ChangesOneSettingOfTheEntry(t *testing.T) {
	t.Parallel()
	eachClient(t, func(t *testing.T, h Client) {
		p, _ := home(t)
		servers, _, err := h.FilesOf(p, "")
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]any{"A": "1", "MEMORY_GRAPH_DB": "/a.db"}
		for _, user := range []string{"Ann", "Bob"} {
			o := options()
			o.Env = []splice.Member{{Name: "MEMORY_GRAPH_USER", Value: user}}
			if user == "Ann" {
				o.Env = append(o.Env, splice.Member{Name: "MEMORY_GRAPH_DB", Value: "/a.db"}, splice.Member{Name: "A", Value: "1"})
			}
			install(t, h, p, o)
			want["MEMORY_GRAPH_USER"] = user
			list, _ := parsed(t, h.Servers.File, servers)[h.Servers.Key[0]].(map[string]any)
			entry, _ := list[DefaultName].(map[string]any)
			if diff := cmp.Diff(want, entry[h.Servers.env()]); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		}
		if h.Servers.Format == splice.TOML {
			put(t, servers, "[mcp_servers.memory-graph]\ncommand = '"+program+
				"'\nargs = [\"serve\"]\n[mcp_servers.memory-graph.env] # mine\nMEMORY_GRAPH_USER = 'Ann'\nA = '1'\n")
			o := options()
			o.Env = []splice.Member{{Name: "MEMORY_GRAPH_USER", Value: "Bob"}}
			install(t, h, p, o)
			if got := text(t, servers); !strings.Contains(got, ".env] # mine\nMEMORY_GRAPH_USER = 'Bob'\nA = '1'\n") &&
				!strings.Contains(got, ".env] # mine\nMEMORY_GRAPH_USER = \"Bob\"\nA = '1'\n") {
				t.Errorf("it is\n%s", got)
			}
		}
	})
}

// A new hook gets the settings of the existing server, except secrets.
func TestInstall_GivesNewHooksTheServersSettings(t *testing.T) {
	t.Parallel()
	eachClient(t, func(t *testing.T, h Client) {
		if !listsHooks(h) {
			return
		}
		p, _ := home(t)
		_, hooks, err := h.FilesOf(p, "")
		if err != nil {
			t.Fatal(err)
		}
		o := options()
		o.Hooks = false
		o.Env = []splice.Member{{Name: "MEMORY_GRAPH_DB", Value: "/a b.db"}, {Name: "MEMORY_GRAPH_USER", Value: "Ann"},
			{Name: "MEMORY_GRAPH_CONFIG", Value: "/c.toml"}, {Name: "MEMORY_GRAPH_LLM_API_KEY", Value: "secret"}, {Name: "HOME",
				Value: "/h"}}
		install(t, h, p, o)
		o = options()
		o.Env, o.Flags = []splice.Member{{Name: "MEMORY_GRAPH_USER", Value: "Bob"}}, []string{"--user=Bob"}
		install(t, h, p, o)
		got := text(t, hooks)
		if strings.Count(got, " --config=/c.toml '--db=/a b.db' --user=Bob\"") != len(h.Hooks.Events) {
			t.Errorf("the hooks are\n%s", got)
		}
		if n := install(t, h, p, options()); n != 0 {
			t.Errorf("a second time wrote %d files", n)
		}
	})
}

// If the server has a custom name, the hooks contain it and follow its changes.
func TestInstall_TellsHooksTheServersName(t *testing.T) {
	t.Parallel()
	eachClient(t, func(t *testing.T, h Client) {
		if !listsHooks(h) {
			return
		}
		p, _ := home(t)
		servers, hooks, err := h.FilesOf(p, "")
		if err != nil {
			t.Fatal(err)
		}
		o := options()
		install(t, h, p, o)
		if got := text(t, hooks); strings.Contains(got, "--server") {
			t.Errorf("the default name is passed:\n%s", got)
		}
		put(t, servers, strings.ReplaceAll(strings.Replace(text(t, servers), `"memory-graph"`, `"our mem"`, 1),
			"[mcp_servers.memory-graph]", "[mcp_servers.'our mem']"))
		install(t, h, p, o)
		if got := text(t, hooks); strings.Count(got, "'--server=our mem'") != len(h.Hooks.Events) {
			t.Errorf("the custom name is not passed:\n%s", got)
		}
		if n := install(t, h, p, o); n != 0 {
			t.Errorf("a second time wrote %d files", n)
		}
	})
}

// Words that the Windows shells interpret differently are rejected, but only if hooks are written.
func TestInstall_RefusesWhatNoLineOfWindowsCanSay(t *testing.T) {
	t.Parallel()
	h, _ := Find("cursor")
	p := placesOn("windows", []string{`USERPROFILE=C:\Users\ann`})
	for flag, want := range map[string]bool{
		`--user=CORP\ann`: true, "--db=C:/a b/m.db": true, "--user=Ann O'Neil": true,
		`--user="Ann"`: false, "--user=$x": false, "--user=a`b": false, `--user=ann\`: false, `--user=\\corp`: false,
		"--user=a\nb": false,
	} {
		o := Options{Program: `C:\Program Files\memory-graph.exe`, Hooks: true, Flags: []string{flag}}
		_, err := h.Snippets(p, o)
		if (err == nil) != want {
			t.Errorf("%s: %v", flag, err)
		}
		if err != nil {
			refused(t, err, memory.InvalidArgument, flag, "config.toml", "--no-hooks")
		}
		o.Hooks = false
		if _, err := h.Snippets(p, o); err != nil {
			t.Errorf("%s without hooks: %v", flag, err)
		}
	}
}

func TestUnquote_IsTheWayBackFromQuote(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"/opt/memory-graph", "/opt/my dir/it's", `/o"p/$x\y`, "/home/jürgen/mg"} {
		if got := unquote("linux", quote("linux", word)); got != word {
			t.Errorf("%q came back as %q", word, got)
		}
	}
	if got := unquote("windows", `"C:\a b\mg.exe"`); got != `C:\a b\mg.exe` {
		t.Errorf("on Windows it is %q", got)
	}
}
