package mentions

import "strings"

// typeOf guesses the type of a name from its words. It returns "" if they do not tell.
func typeOf(name string) string {
	lower := lowered(name)
	if t := technologies[lower]; t != "" {
		return t
	}
	words := strings.Fields(lower)
	if len(words) < 2 {
		return ""
	}
	if t := lastWords[strings.TrimRight(words[len(words)-1], ".,")]; t != "" {
		return t
	}
	if n := len(words); n > 2 && words[n-2] == "&" && firmEndings[strings.TrimRight(words[n-1], ".,")] {
		return "organization"
	}
	if len(words) > 2 && words[1] == "of" {
		return firstWords[words[0]]
	}
	return ""
}

func typed(lists map[string]string) map[string]string {
	m := map[string]string{}
	for typ, words := range lists {
		for w := range strings.FieldsSeq(words) {
			m[strings.ReplaceAll(w, "+", " ")] = typ
		}
	}
	return m
}

// technologies are names with an undisputed type. The list is deliberately short, since a graph in use knows its own
// names better. A plus stands for a space.
var technologies = func() map[string]string {
	m := typed(map[string]string{
		"language": `python java javascript typescript golang kotlin ruby php haskell erlang clojure scala fortran cobol ocaml
			lua matlab sql bash
			html css webassembly solidity zig`,
		"tool": `git github gitlab bitbucket docker podman kubernetes jenkins terraform ansible npm yarn pnpm pip webpack vite
			eslint prettier pytest
			vscode vim neovim emacs intellij jira confluence slack figma postman grafana prometheus datadog sentry kibana make
			cmake bazel
			homebrew vs+code visual+studio github+actions`,
		"technology": `postgres postgresql mysql mariadb sqlite mongodb redis memcached cassandra elasticsearch opensearch
			kafka rabbitmq nats dynamodb
			firestore snowflake bigquery clickhouse duckdb neo4j nginx apache envoy istio linux ubuntu debian windows macos
			android ios
			react angular vue svelte next.js node.js vue.js deno django rails laravel graphql grpc rest oauth jwt aws gcp azure
			tensorflow
			pytorch numpy pandas kubernetes openai chatgpt ollama langchain raspberry+pi`,
	})
	for _, w := range []string{"c++", "c#", "f#", ".net", "objective-c"} {
		m[w] = "language"
	}
	return m
}()

// lastWords map the last word of a name to its type; firstWords map the first word of a name such as "University of
// Oslo".
var (
	lastWords = typed(map[string]string{
		"organization": `inc corp corporation company ltd llc gmbh plc university college institute foundation association
			committee department ministry
			agency bureau council bank airlines records orchestra club party church museum library hospital school academy team
			union society group`,
		"location": `river lake mountain mountains island islands county city province district street avenue road square park
			bridge airport station
			valley beach bay desert forest peninsula ocean sea states kingdom republic`,
		"event": `war battle festival olympics championship championships cup conference revolution summit`,
	})
	firstWords = typed(map[string]string{
		"organization": `university institute bank department ministry church college school museum academy house`,
		"location":     `city county state province republic isle gulf bay lake mount kingdom`,
		"event":        `battle siege war treaty`,
	})
)
