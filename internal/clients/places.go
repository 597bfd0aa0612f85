package clients

import (
	"path/filepath"
	"runtime"
	"strings"
)

// Systems are the operating systems with places of their own, as GOOS names them.
var Systems = []string{"linux", "darwin", "windows"}

// Places says where a user's files are on a machine.
type Places struct {
	system string
	env    map[string]string
}

// UserPlaces finds the places in an environment ("KEY=value").
func UserPlaces(env []string) Places { return placesOn(runtime.GOOS, env) }

func placesOn(system string, env []string) Places {
	p := Places{system: system, env: make(map[string]string, len(env))}
	for _, line := range env {
		name, value, ok := strings.Cut(line, "=")
		if !ok || value == "" {
			continue
		}
		if system == "windows" {
			name = strings.ToUpper(name)
		}
		p.env[name] = value
	}
	return p
}

// Base is a directory that paths are given from.
type Base string

// The bases.
const (
	Home    Base = "home"    // the user's own directory
	AppData Base = "appdata" // where desktop programs keep their settings
	Config  Base = "config"  // ~/.config, where it is on macOS too
)

// Path is a path from a base, with slashes.
type Path struct {
	Base    Base
	Rel     string
	Windows string // the same on Windows, where it differs
	Env     string // the variable that names a directory instead of the base
	EnvRel  string // the path in that directory
}

// find gives the absolute path; "" where the environment names no home.
func (p Places) find(at Path) string {
	if dir := p.env[at.Env]; at.Env != "" && p.absolute(dir) {
		return p.join(dir, at.EnvRel)
	}
	rel := at.Rel
	if p.system == "windows" && at.Windows != "" {
		rel = at.Windows
	}
	return p.join(p.base(at.Base), rel)
}

// Home is the user's own directory, "" where the environment names none.
func (p Places) Home() string {
	if p.system == "windows" {
		return p.env["USERPROFILE"]
	}
	return p.env["HOME"]
}

func (p Places) base(b Base) string {
	home := p.Home()
	switch {
	case b == Home:
		return home
	case p.system == "windows":
		if dir := p.env["APPDATA"]; dir != "" {
			return dir
		}
		return p.join(home, "AppData/Roaming")
	case p.system == "darwin" && b == AppData:
		return p.join(home, "Library/Application Support")
	}
	if dir := p.env["XDG_CONFIG_HOME"]; p.system != "darwin" && p.absolute(dir) {
		return dir
	}
	return p.join(home, ".config")
}

// join puts a path with slashes below a directory, and leaves "unknown" unknown.
func (p Places) join(dir, rel string) string {
	if dir == "" {
		return ""
	}
	if p.system != runtime.GOOS { // only tests look at another system's paths
		sep := "/"
		if p.system == "windows" {
			sep = `\`
		}
		return dir + sep + strings.ReplaceAll(rel, "/", sep)
	}
	return filepath.Join(dir, filepath.FromSlash(rel))
}

func (p Places) absolute(dir string) bool {
	if p.system == runtime.GOOS {
		return filepath.IsAbs(dir)
	}
	return dir != ""
}

// shown is how people write the path on a system.
func (at Path) shown(system string) string {
	rel := at.Rel
	if system == "windows" {
		if at.Windows != "" {
			rel = at.Windows
		}
		base := map[Base]string{Home: "%USERPROFILE%", AppData: "%APPDATA%", Config: "%APPDATA%"}[at.Base]
		return base + `\` + strings.ReplaceAll(rel, "/", `\`)
	}
	base := "~/.config"
	switch {
	case at.Base == Home:
		base = "~"
	case at.Base == AppData && system == "darwin":
		base = "~/Library/Application Support"
	}
	return base + "/" + rel
}
