package clients

import (
	"path/filepath"
	"runtime"
	"strings"
)

// Systems are the operating systems with different paths, as GOOS values.
var Systems = []string{"linux", "darwin", "windows"}

// Places locates a user's files on a machine.
type Places struct {
	system string
	env    map[string]string
}

// UserPlaces reads the places from an environment ("KEY=value").
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

// Base is a directory to which paths are relative.
type Base string

// The bases.
const (
	Home    Base = "home"    // the user's home directory
	AppData Base = "appdata" // settings of desktop programs
	Config  Base = "config"  // ~/.config, also on macOS
)

// Path is a path relative to a base, with slashes.
type Path struct {
	Base    Base
	Rel     string
	Windows string // the path on Windows, if different
	Env     string // variable that names a directory to use instead of the base
	EnvRel  string // the path in that directory
}

// find returns the absolute path; "" if the environment names no home directory.
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

// Home returns the user's home directory, "" if the environment names none.
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

// join joins a directory and a path with slashes; "" if the directory is unknown.
func (p Places) join(dir, rel string) string {
	if dir == "" {
		return ""
	}
	if p.system != runtime.GOOS { // only tests use another system's paths
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

// shown returns the path in the notation of a system, for users.
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
