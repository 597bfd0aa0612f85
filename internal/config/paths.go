package config

import (
	"path/filepath"
	"runtime"
)

// appName is the folder that holds our files in each of the user's directories.
const appName = "memory-graph"

// Paths are the directories of this user. Nothing creates them before something is written; "" means that the
// environment names no home to put it in.
type Paths struct {
	Data   string // database and token
	Config string // config.toml
	Cache  string // compiled SQLite module: may be deleted at any time
}

// UserPaths finds the directories in an environment: the XDG base directories on Unix, the system's own places on macOS
// and Windows, where XDG variables count too. adrg/xdg would do the same from the process's environment only.
func UserPaths(env []string) Paths { return findPaths(runtime.GOOS, environ(env)) }

// Home is the user's own directory, "" where the environment names none. On Windows a shell's HOME counts first.
func Home(env []string) string {
	named := environ(env)
	for _, dir := range []string{named["HOME"], named["USERPROFILE"]} {
		if filepath.IsAbs(dir) {
			return dir
		}
	}
	return ""
}

func findPaths(goos string, env map[string]string) Paths {
	home := env["HOME"]
	var data, conf, cache string
	switch goos {
	case "windows":
		local := env["LOCALAPPDATA"]
		if local == "" {
			local = join(env["USERPROFILE"], "AppData", "Local")
		}
		data, conf, cache = local, local, join(local, "cache")
	case "darwin":
		support := join(home, "Library", "Application Support")
		data, conf, cache = support, support, join(home, "Library", "Caches")
	default:
		data, conf, cache = join(home, ".local", "share"), join(home, ".config"), join(home, ".cache")
	}
	pick := func(variable, fallback string) string {
		if dir := env[variable]; isAbs(goos, dir) { // the specification ignores relative ones
			fallback = dir
		}
		return join(fallback, appName)
	}
	return Paths{Data: pick("XDG_DATA_HOME", data), Config: pick("XDG_CONFIG_HOME", conf),
		Cache: pick("XDG_CACHE_HOME", cache)}
}

// join is filepath.Join that keeps "unknown" unknown: below no directory there is none.
func join(dir string, more ...string) string {
	if dir == "" {
		return ""
	}
	return filepath.Join(append([]string{dir}, more...)...)
}

func isAbs(goos, dir string) bool {
	if goos == runtime.GOOS {
		return filepath.IsAbs(dir)
	}
	return dir != "" // only tests look at another system's paths
}
