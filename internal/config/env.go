package config

import (
	"runtime"
	"slices"
	"strings"

	"memory-graph/internal/memory"
)

// internals are the variables with our prefix that are no settings.
var internals = []string{
	EnvPrefix + "CONFIG", // names the configuration file
	EnvPrefix + "KERNEL", // "scalar" forces plain Go kernels; for tests
}

// environ makes a map of "KEY=value" lines; the last of a name counts, an empty value is as good as none.
// On Windows the names have no case.
func environ(env []string) map[string]string {
	m := make(map[string]string, len(env))
	for _, line := range env {
		name, value, ok := strings.Cut(line, "=")
		if !ok || name == "" {
			continue
		}
		if runtime.GOOS == "windows" {
			name = strings.ToUpper(name)
		}
		if delete(m, name); value != "" {
			m[name] = value
		}
	}
	return m
}

// unknownVariable refuses a variable with our prefix that means nothing: a typing error there would otherwise leave a
// setting silently at its default.
func unknownVariable(env map[string]string, settings []Setting) error {
	known := slices.Clone(internals)
	for _, s := range settings {
		known = append(known, s.Env)
	}
	var strange []string
	for name := range env {
		if strings.HasPrefix(name, EnvPrefix) && !slices.Contains(known, name) {
			strange = append(strange, name)
		}
	}
	if len(strange) == 0 {
		return nil
	}
	slices.Sort(strange)
	return memory.Errorf(memory.InvalidArgument, "The environment variable %s is no setting of memory-graph.", strange[0]).
		WithHint("%s", didYouMean(strange[0], known))
}

// didYouMean is the hint for an unknown name.
func didYouMean(name string, known []string) string {
	const list = "`memory-graph config keys` lists all of them."
	if near := Suggest(name, known); near != "" {
		return "Did you mean " + near + "? " + list
	}
	return list
}
