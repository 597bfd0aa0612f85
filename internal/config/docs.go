package config

import (
	"fmt"
	"strings"
)

// Markdown returns docs/configuration.md, which lists every setting.
func Markdown() string {
	var b strings.Builder
	b.WriteString(`# Configuration

<!-- Made from the tags of config.Config by "go generate ./internal/config". Change them, not this page. -->

Every setting is optional. A flag overrides the environment variable, which overrides the configuration file, which
overrides the default.

- **File**: the keys below ` + "`[memory.graph]`" + ` in ` + "`config.toml`" + `.
  The file is in the configuration directory, which ` + "`memory-graph config path`" + ` prints.
  ` + "`--config`" + ` or the variable ` + "`MEMORY_GRAPH_CONFIG`" + ` names another file.
- **Environment**: the variable in the table. An empty variable counts as not set.
- **Flag**: the key with dashes: ` + "`--limits-results 100`" + `. Secrets have no flag, since other users
  of a machine can read the command line of a process.

memory-graph does not start with an unknown key, an unknown variable that begins with ` + "`MEMORY_GRAPH_`" + `, or an
invalid value. The message names the key, the value, its source and the allowed values.
` + "`memory-graph config show`" + ` prints the settings with their sources.
` + "`memory-graph config keys`" + ` prints this list.

A relative path in the file is relative to the file's directory. In a flag or variable it is relative to the working
directory. ` + "`~/`" + ` is the home directory. Variables of other programs, such as OPENAI_API_KEY, are not read.

Settings marked "not used in this version" are checked, but have no effect yet. The server logs a warning if such a
setting is not at its default.

` + "```toml" + `
[memory.graph]
namespace = "work"

[memory.graph.limits]
results = 100

[memory.graph.routes]
"acme" = "work"             # repositories of acme
"acme/secret-*" = "secret"  # except these
` + "```" + `
`)
	group := ""
	for _, s := range Settings() {
		if s.Group != group {
			group = s.Group
			fmt.Fprintf(&b, "\n## %s\n\n| key | variable | default | allowed | meaning |\n| --- | --- | --- | --- | --- |\n",
				group)
		}
		def := "–"
		if s.Default != "" {
			def = "`" + s.Default + "`"
		}
		variable := "–"
		if s.Env != "" {
			variable = "`" + s.Env + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", s.Key, variable, def, s.Allowed(), s.Meaning())
	}
	b.WriteString(`
## Not settings

| variable | meaning |
| --- | --- |
| ` + "`MEMORY_GRAPH_CONFIG`" + ` | the configuration file to read; it must exist |
| ` + "`MEMORY_GRAPH_OFF`" + ` | if it is set, hooks answer and store nothing, the server does not start and ` +
		"`llm_command`" + ` is not run; set for everything that it starts |
| ` + "`MEMORY_GRAPH_KERNEL`" + ` | ` + "`avx512`" + `, ` + "`avx2`" + ` or ` + "`scalar`" + `: the instructions that compute embeddings and compare vectors; default: the fastest that the processor has |
| ` + "`XDG_DATA_HOME`, `XDG_CONFIG_HOME`, `XDG_CACHE_HOME`" + ` | the three directories, as in the XDG specification |
`)
	return b.String()
}
