package hooks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// The sizes to which a tool use is cut, in bytes.
const (
	maxToolName     = 120
	maxToolInput    = 500
	maxToolResponse = 1000
)

// looking are the tools that only read files or keep the agent's own notes, under the names of all hosts. Their results
// are in the files already and would bury the conversation.
var looking = []string{
	"read", "readfile", "readfiles", "readmanyfiles", "readlints", "notebookread", "viewimage",
	"glob", "globfilesearch", "grep", "grepsearch", "ripgrep", "searchfilecontent", "codebasesearch", "searchcodebase",
	"semanticsearch",
	"ls", "listdir", "listdirectory", "listfiles",
	"todowrite", "todoread", "writetodos", "updateplan", "taskcreate", "taskupdate", "tasklist", "taskget",
	"toolsearch", "askuserquestion", "exitplanmode", "enterplanmode", "bashoutput", "killshell", "killbash",
}

// onlyLooks reports whether nothing of the tool use is worth remembering.
func (u ToolUse) onlyLooks() bool { return slices.Contains(looking, fold(u.Name)) }

// ourTools are the tools of this program, of every toolset. A test of package cli compares them with the tools.
var ourTools = func() map[string]bool {
	is := map[string]bool{}
	for _, name := range strings.Fields(`store_episode retrieve search_graph retrieve_linked graph_traverse create_entity
		create_relation update_entity supersede edges_at history what_changed list update_relation merge_entities unmerge undo
		forget relation_decay rollout status inject_context retain recall reflect create_entities create_relations
		add_observations delete_entities delete_observations delete_relations read_graph search_nodes open_nodes
		communities refresh_communities memory_graph`) {
		is[bare(name)] = true
	}
	return is
}()

// ours reports whether the tool belongs to this program. server is the host's name for our server. What goes through
// these tools is remembered already. Hosts prefix the tool's name with the server's in different forms
// (mcp__NAME__TOOL, mcp_NAME_TOOL). For hosts that only prefix "MCP:" the tool's name decides.
func (u ToolUse) ours(server string) bool {
	name, server := bare(u.Name), bare(server)
	if strings.Contains(name, "memorygraph") {
		return true
	}
	if of, tool, ok := strings.Cut(u.Name, ":"); ok && strings.EqualFold(of, "MCP") {
		return ourTools[bare(tool)]
	}
	rest, isMCP := strings.CutPrefix(name, "mcp")
	tool, ok := strings.CutPrefix(rest, server)
	return ok && (isMCP || server != "") && ourTools[tool]
}

// bare reduces a name to its ASCII letters and digits, which all hosts keep.
func bare(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(name))
}

// Compact summarises the use in a few lines: the tool's name, the essential part of its input, and the beginning of its
// response. Cut parts end with the number of missing bytes.
func (u ToolUse) Compact() string {
	name := firstLine(u.Name)
	if name == "" {
		return ""
	}
	var b strings.Builder
	b.WriteString(begin(name, maxToolName))
	if in := begin(essential(u.Input), maxToolInput); in != "" {
		b.WriteString(": " + in)
	}
	if out := begin(unwrapped(response(u.Response)), maxToolResponse); out != "" {
		b.WriteString("\n→ ")
		if u.Failed {
			b.WriteString("failed: ")
		}
		b.WriteString(out)
	}
	return b.String()
}

// telling are the members of a tool's input that describe the action, in display order.
var telling = []string{"command", "commands", "cmd", "file_path", "path", "notebook_path", "absolute_path", "url",
	"query", "pattern", "description", "prompt", "new_string", "new_text", "content", "contents"}

// essential returns the part of a tool's input that matters.
func essential(raw []byte) string {
	if s := textOf(raw, 2); s != "" {
		return s
	}
	var in payload
	if json.Unmarshal(raw, &in) != nil {
		return compactJSON(raw)
	}
	var parts []string
	for _, name := range telling {
		if s := strings.TrimSpace(in.text(name)); s != "" {
			parts = append(parts, s)
		} else if list := wordsOf(in[name]); list != "" {
			parts = append(parts, list)
		}
		if len(parts) == 2 { // a command and its purpose, or a file and its content
			break
		}
	}
	if len(parts) == 0 {
		return compactJSON(raw)
	}
	return strings.Join(parts, " — ")
}

// wordsOf joins a command given as a list.
func wordsOf(raw []byte) string {
	var list []string
	if json.Unmarshal(raw, &list) != nil {
		return ""
	}
	return clean(strings.Join(list, " "))
}

// response returns a tool's output, in any of the hosts' formats.
func response(raw []byte) string {
	if s := strings.TrimSpace(textOf(raw, 4)); s != "" {
		return s
	}
	var out payload
	if json.Unmarshal(raw, &out) != nil {
		return compactJSON(raw)
	}
	var parts []string
	for _, name := range []string{"error", "stdout", "stderr", "output", "llmContent", "content", "result", "text"} {
		if s := strings.TrimSpace(out.text(name)); s != "" && !slices.Contains(parts, s) {
			parts = append(parts, s)
		}
	}
	if len(parts) > 0 {
		return strings.Join(parts, "\n")
	}
	for _, name := range []string{"structuredPatch", "originalFile", "oldString", "newString", "filePath", "interrupted",
		"isImage"} {
		delete(out, name) // the written text is in the input and the file
	}
	for name, v := range out {
		if s := string(v); s == `""` || s == "null" || s == "false" || s == "[]" {
			delete(out, name)
		}
	}
	if len(out) == 0 {
		return ""
	}
	rest, err := json.Marshal(out)
	if err != nil {
		return ""
	}
	return compactJSON(rest)
}

// unwrapped removes the tag in which Gemini CLI encloses the output of a tool.
func unwrapped(s string) string {
	wrap := said("untrusted_context")
	if body, ok := strings.CutSuffix(strings.TrimSpace(s), wrap.to); ok && wrap.begins(body) {
		return wrap.inside(body[len(wrap.from):])
	}
	return s
}

// compactJSON returns JSON without white space; "" if it is empty.
func compactJSON(raw []byte) string {
	var b bytes.Buffer
	if len(raw) == 0 || json.Compact(&b, raw) != nil {
		return ""
	}
	switch s := b.String(); s {
	case "{}", "[]", `""`, "null":
		return ""
	default:
		return clean(strings.ReplaceAll(s, `\u0000`, ""))
	}
}

// begin returns the beginning of a text and the number of bytes that follow.
func begin(s string, most int) string {
	s = strings.TrimSpace(s)
	if len(s) <= most {
		return s
	}
	head := strings.TrimSpace(strings.ToValidUTF8(s[:most], ""))
	return fmt.Sprintf("%s… (%d bytes more)", head, len(s)-len(head))
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(line)
}
