package clients

import (
	"bytes"
	"strings"

	"memory-graph/internal/clients/splice"
	"memory-graph/internal/config"
)

// Copies returns the backups that setup has left beside the host's files, as if the changes of an Uninstall were
// written. Needless ones hold entries of ours, or what the file itself holds. The others are earlier states of the
// user's file.
func (h Client) Copies(p Places, o Options, changes []Change) (needless, others []string, err error) {
	servers, hooks, err := h.FilesOf(p, o.Dir)
	if err != nil {
		return nil, nil, err
	}
	seen := map[string]bool{"": true}
	for _, f := range []struct {
		path   string
		format splice.Format
	}{{servers, h.Servers.Format}, {hooks, h.hookFormat()}} {
		if seen[f.path] {
			continue
		}
		seen[f.path] = true
		s, err := look(f.path, 0)
		if err != nil {
			continue // the change of this file has the problem
		}
		now, there := s.data, s.info != nil
		for _, c := range changes {
			if c.Path == f.path && !c.Empty() {
				now, there = c.After, !c.Removes
			}
		}
		for _, old := range s.backups() {
			if there && bytes.Equal(old.data, now) || !h.free(f.format, old.data, p.system, o) {
				needless = append(needless, old.path)
			} else {
				others = append(others, old.path)
			}
		}
	}
	return needless, others, nil
}

// free reports whether a text of one of the host's files holds nothing of ours. A text that cannot be read is free.
func (h Client) free(f splice.Format, text []byte, system string, o Options) bool {
	if f == "" {
		_, _, ours := h.scripted(text)
		return !ours
	}
	if _, err := splice.Read(f, text); err != nil {
		return true
	}
	return h.absent(f, text, system, o)
}

func (h Client) hookFormat() splice.Format {
	if h.Hooks == nil || h.Hooks.Form == Script {
		return ""
	}
	return h.Hooks.Format
}

// pluginName is how hosts name our plugin in their own files.
const pluginName = DefaultName + "@" + DefaultName

// unplug are the commands that remove the plugin, by host. Only the host knows what else it has written for it.
var unplug = map[string]string{
	"claude-code": "claude plugin uninstall " + pluginName + " && claude plugin marketplace remove " + DefaultName,
	"codex":       "codex plugin remove " + pluginName + " && codex plugin marketplace remove " + DefaultName,
}

// Plugged returns the command that removes our plugin from the host, and the file that names it; "" if none does.
func (h Client) Plugged(p Places) (command, file string) {
	if unplug[h.ID] == "" {
		return "", ""
	}
	servers, hooks, err := h.FilesOf(p, "")
	if err != nil {
		return "", ""
	}
	for _, path := range []string{servers, hooks} {
		if path == "" {
			continue
		}
		if s, err := look(path, 0); err == nil && strings.Contains(string(s.data), `"`+pluginName+`"`) {
			return unplug[h.ID], path
		}
	}
	return "", ""
}

// Database returns the database that our entry in the host's list names, or "".
func (h Client) Database(p Places, o Options) string {
	path, err := h.place(p, h.Servers.File, o.Dir)
	if err != nil {
		return ""
	}
	d := open(path, h.Servers.File, look)
	if d.problem != nil {
		return ""
	}
	_, entry := h.server(d.root, o)
	env, _ := entry.Get(h.Servers.env())
	db, _ := splice.At(env, config.EnvPrefix+"DB")
	name, _ := db.(string)
	return name
}
