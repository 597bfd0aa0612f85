package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"memory-graph/internal/clients"
	"memory-graph/internal/memory"
)

// clientRow is one client of the list.
type clientRow struct {
	Host   string `json:"host"`
	Name   string `json:"name"`
	Found  bool   `json:"found"`         // it has left settings on this machine
	Status string `json:"status"`        // set_up, moved (what it starts is gone), not_set_up or unknown
	Why    string `json:"why,omitempty"` // it is unknown, or what is wrong
	File   string `json:"file"`          // its list of MCP servers
}

// listClients shows every client, whether it seems to be on this machine, and whether it starts memory-graph.
func (a *app) listClients(c *cobra.Command, o clients.Options, f setupFlags) error {
	if f.print || f.uninstall || f.yes {
		return usageError(c, "setup needs the name of a host for that.")
	}
	places := clients.UserPlaces(a.env)
	rows := []clientRow{}
	for _, h := range clients.All() {
		if o.Dir != "" && h.Servers.Project == "" {
			continue
		}
		file, _, err := h.FilesOf(places, o.Dir)
		if err != nil {
			return err
		}
		row := clientRow{Host: h.ID, Name: h.Name, File: file, Status: "not_set_up", Found: present(h, places, o)}
		switch program, err := h.Starts(places, o); {
		case err != nil:
			row.Status, row.Why = "unknown", memory.AsError(err).Message
		case program != "":
			row.Status = "set_up"
			if _, err := os.Stat(program); filepath.IsAbs(program) && errors.Is(err, fs.ErrNotExist) {
				row.Status, row.Why = "moved", fmt.Sprintf("%s starts %s, which is gone: `memory-graph setup %s` corrects that.",
					h.Name, program, h.ID)
			}
		}
		rows = append(rows, row)
	}
	return a.print(map[string]any{"hosts": rows}, func(w io.Writer) {
		t := table{columns: []column{{title: "HOST"}, {title: "NAME"}, {title: "FOUND"}, {title: "SET UP"}, {title: "FILE"}}}
		for _, r := range rows {
			found, status := "", r.Status
			if r.Found {
				found = "yes"
			}
			switch status {
			case "set_up":
				status = "yes"
			case "not_set_up":
				status = ""
			}
			t.add("", r.Host, r.Name, found, status, r.File)
		}
		t.write(w, a.paint)
		for _, r := range rows {
			if r.Why != "" {
				fmt.Fprintln(w, r.Why)
			}
		}
		fmt.Fprintln(w, nextStep(rows))
	})
}

// nextStep says what the person at the list can do now.
func nextStep(rows []clientRow) string {
	var open []string
	found := false
	for _, r := range rows {
		found = found || r.Found
		if r.Found && r.Status == "not_set_up" {
			open = append(open, r.Host)
		}
	}
	switch {
	case len(open) > 0:
		return "`memory-graph setup " + strings.Join(open, " ") + "` sets up what is found here and not set up yet."
	case !found:
		return "None of them has left settings on this machine. `memory-graph setup HOST` prepares one all the same."
	}
	return "`memory-graph setup HOST` sets up another one, and corrects what it finds."
}

// present says whether a host has left settings on this machine, or in a project.
func present(h clients.Client, places clients.Places, o clients.Options) bool {
	file, hooks, err := h.FilesOf(places, o.Dir)
	if err != nil {
		return false
	}
	return slices.ContainsFunc([]string{file, directory(file, places, o.Dir), directory(hooks, places, o.Dir)},
		func(path string) bool {
			_, err := os.Stat(path)
			return path != "" && !errors.Is(err, fs.ErrNotExist)
		})
}

// directory is where a file of a host is, "" where that is everybody's: the home or the project itself.
func directory(file string, places clients.Places, project string) string {
	dir := filepath.Dir(file)
	if file == "" || dir == places.Home() || dir == project {
		return ""
	}
	return dir
}
