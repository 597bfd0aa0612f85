package cli

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"memory-graph/hosts"
)

// hostRow is one host of the list.
type hostRow struct {
	Host   string `json:"host"`
	Name   string `json:"name"`
	Found  bool   `json:"found"`  // the directory of its settings is there
	Status string `json:"status"` // set_up, not_set_up, or why that cannot be said
	File   string `json:"file"`   // its list of MCP servers
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
		file, _, err := h.FilesOf(places, o.Dir)
		if err != nil {
			return err
		}
		row := hostRow{Host: h.ID, Name: h.Name, File: file, Status: "not_set_up"}
		if _, err := os.Stat(filepath.Dir(file)); !errors.Is(err, fs.ErrNotExist) {
			row.Found = true
		}
		if has, err := h.Has(places, o); err != nil {
			row.Status = err.Error()
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
	})
}
