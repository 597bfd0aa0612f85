package config

import (
	"path/filepath"
	"runtime"
)

// appName is the name of our folder in each of the user's directories.
const appName = "memory-graph"

// Paths are the directories of this user. A directory is created when the first file in it is written. "" means that
// the environment has no home directory.
type Paths struct {
	Data   string // database and token
	Config string // config.toml
	Cache  string // compiled SQLite module; can be deleted at any time
}

// UserPaths returns the directories for an environment: the XDG base directories on Unix, and the standard directories
// on macOS and Windows, which XDG variables override. adrg/xdg reads only the environment of the process.
func UserPaths(env []string) Paths { return findPaths(runtime.GOOS, environ(env)) }

// Home returns the user's home directory, or "" if the environment has none. On Windows, HOME overrides USERPROFILE.
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
		if dir := env[variable]; isAbs(goos, dir) { // the XDG specification ignores relative paths
			fallback = dir
		}
		return join(fallback, appName)
	}
	return Paths{Data: pick("XDG_DATA_HOME", data), Config: pick("XDG_CONFIG_HOME", conf),
		Cache: pick("XDG_CACHE_HOME", cache)}
}

// join is filepath.Join, but returns "" if dir is "".
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
	return dir != "" // for another system, which only tests use
}
