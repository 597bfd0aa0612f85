package config

import (
	"fmt"
	"strings"
)

// Markdown is docs/configuration.md: every setting, from the same table as the flags and the checks.
func Markdown() string {
	var b strings.Builder
	b.WriteString(`# Configuration

<!-- Made from the tags of config.Config by "go generate ./internal/config". Change them, not this page. -->

Nothing needs to be set. What is set counts in this order: flag, environment variable, ` + "`config.toml`" + `, default.

- **File**: keys below ` + "`[memory.graph]`" + ` of ` + "`config.toml`" + ` in the configuration directory (` + "`memory-graph config path`" + ` prints it), or of
  the file that ` + "`--config`" + ` or ` + "`MEMORY_GRAPH_CONFIG`" + ` names.
- **Environment**: the variable of the table; one that is empty counts as not set.
- **Flag**: the key with dashes: ` + "`--limits-results 100`" + `. Secrets have none, since other users of a machine can read
  the command line of a process.

A key or a variable with our prefix that is unknown, and a value outside its range, stop the start with a message that
names the key, the value, where it came from and what is allowed. ` + "`memory-graph config show`" + ` prints what is in force and
where each value came from; ` + "`memory-graph config keys`" + ` prints this list.

A relative path in the file is meant from the file's own directory, one in a flag or variable from the working
directory; ` + "`~/`" + ` is the home directory. No variable of another program (such as OPENAI_API_KEY) is read.

What is marked "not used in this version" is checked like the rest but changes nothing yet; a server that finds such a
setting away from its default says so in its log.

` + "```toml" + `
[memory.graph]
namespace = "work"

[memory.graph.limits]
results = 100
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
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s | %s |\n", s.Key, s.Env, def, s.Allowed(), s.Meaning())
	}
	b.WriteString(`
## Not settings

| variable | meaning |
| --- | --- |
| ` + "`MEMORY_GRAPH_CONFIG`" + ` | the configuration file to read; it must be there |
| ` + "`MEMORY_GRAPH_KERNEL`" + ` | ` + "`avx512`" + `, ` + "`avx2`" + ` or ` + "`scalar`" + `: which instructions compute embeddings and compare vectors; the fastest that the processor has unless set |
| ` + "`XDG_DATA_HOME`, `XDG_CONFIG_HOME`, `XDG_CACHE_HOME`" + ` | where the three directories lie, as the XDG specification has it |
`)
	return b.String()
}
