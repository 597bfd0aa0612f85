package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"memory-graph/hosts"
	"memory-graph/memory"
)

// hostRow is one host of the list.
type hostRow struct {
	Host   string `json:"host"`
	Name   string `json:"name"`
	Found  bool   `json:"found"`         // it has left settings on this machine
	Status string `json:"status"`        // set_up, not_set_up or unknown
	Why    string `json:"why,omitempty"` // it is unknown
	File   string `json:"file"`          // its list of MCP servers
}

// listHosts shows every host, whether it seems to be on this machine, and whether it starts memory-graph.
func (a *app) listHosts(c *cobra.Command, o hosts.Options, f setupFlags) error {
	if f.print || f.uninstall || f.yes {
		return usageError(c, "setup needs the name of a host for that.")
	}
	places := hosts.UserPlaces(a.env)
	rows := []hostRow{}
	for _, h := range hosts.All() {
		if o.Dir != "" && h.Servers.Project == "" {
			continue
		}
		file, hooks, err := h.FilesOf(places, o.Dir)
		if err != nil {
			return err
		}
		row := hostRow{Host: h.ID, Name: h.Name, File: file, Status: "not_set_up"}
		for _, path := range []string{file, directory(file, places, o.Dir), directory(hooks, places, o.Dir)} {
			if _, err := os.Stat(path); path != "" && !errors.Is(err, fs.ErrNotExist) {
				row.Found = true
			}
		}
		if has, err := h.Has(places, o); err != nil {
			row.Status, row.Why = "unknown", memory.AsError(err).Message
		} else if has {
			row.Status = "set_up"
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
	})
}

// directory is where a file of a host is, "" where that is everybody's: the home or the project itself.
func directory(file string, places hosts.Places, project string) string {
	dir := filepath.Dir(file)
	if file == "" || dir == places.Home() || dir == project {
		return ""
	}
	return dir
}
