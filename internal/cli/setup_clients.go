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

// clientRow is one host in the list.
type clientRow struct {
	Host   string `json:"host"`
	Name   string `json:"name"`
	Found  bool   `json:"found"`         // it has settings on this machine
	Status string `json:"status"`        // set_up, moved (the program that it starts is missing), not_set_up or unknown
	Why    string `json:"why,omitempty"` // why the status is moved or unknown
	File   string `json:"file"`          // the file with its list of MCP servers
}

// listClients lists every host, with whether it has settings on this machine and whether it starts memory-graph.
func (a *app) listClients(c *cobra.Command, o clients.Options, f setupFlags) error {
	if f.print || f.uninstall || f.yes {
		return usageError(c, "setup needs the name of a host with this flag.")
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
				row.Status, row.Why = "moved", fmt.Sprintf("%s starts %s, which is missing: `memory-graph setup %s` corrects this.",
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

// nextStep returns what the user can do next.
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
		return "`memory-graph setup " + strings.Join(open, " ") + "` sets up the hosts that are found but not set up."
	case !found:
		return "No host has settings on this machine. `memory-graph setup HOST` creates them."
	}
	return "`memory-graph setup HOST` sets up another host, or updates one."
}

// present reports whether a host has settings on this machine or in the project.
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

// directory returns the directory of a host's file, or "" if it is the home or the project directory, which says
// nothing about the host.
func directory(file string, places clients.Places, project string) string {
	dir := filepath.Dir(file)
	if file == "" || dir == places.Home() || dir == project {
		return ""
	}
	return dir
}
