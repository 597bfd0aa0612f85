package config

import (
	"runtime"
	"slices"
	"strings"

	"memory-graph/internal/command"
	"memory-graph/internal/memory"
)

// internals are the variables with our prefix that are not settings.
var internals = []string{
	EnvPrefix + "CONFIG", // names the configuration file
	command.OffVariable,  // switches memory-graph off; set for what llm_command starts
	EnvPrefix + "KERNEL", // "scalar" forces plain Go kernels; for tests
}

// environ returns "KEY=value" lines as a map. The last value of a name counts; empty values are dropped. On Windows the
// case of names is ignored.
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

// unknownVariable refuses an unknown variable with our prefix. Otherwise a typo would silently leave a setting at its
// default.
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
	return memory.Errorf(memory.InvalidArgument, "The variable %s is not a setting of memory-graph.", strange[0]).
		WithHint("%s", didYouMean(strange[0], known))
}

// didYouMean returns the hint for an unknown name.
func didYouMean(name string, known []string) string {
	const list = "`memory-graph config keys` lists all of them."
	if near := Suggest(name, known); near != "" {
		return "Did you mean " + near + "? " + list
	}
	return list
}
