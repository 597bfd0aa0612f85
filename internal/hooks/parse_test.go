package hooks_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/hooks"
	"memory-graph/internal/memory"
)

// when is the time of all turns in these tests.
var when = time.Date(2026, 11, 22, 3, 0, 0, 0, time.UTC)

// taken is the compared part of an event.
type taken struct {
	Host, Name, Kind, Session, Dir, Source string
	Role, Speaker, Text                    string
	Keyed                                  bool
	Answer                                 string // the answer to the context "C"
}

func take(t *testing.T, host, event, payload string) (taken, error) {
	t.Helper()
	e, err := hooks.Parse(host, event, []byte(payload))
	turn, _ := e.Turn(when, hooks.Keeping{MaxBytes: 4000})
	return taken{e.Client, e.Name, string(e.Kind), e.Session, e.Dir, e.Source,
		string(turn.Role), turn.Speaker, turn.Text, turn.Key != "", string(e.Answer("C"))}, err
}

const nested = `{"hookSpecificOutput":{"hookEventName":"%","additionalContext":"C"}}` + "\n"

func TestParse_TakesEachHostsEvents(t *testing.T) {
	t.Parallel()
	inForm := func(event string) string { return strings.ReplaceAll(nested, "%", event) }
	for name, tc := range map[string]struct {
		host, event, payload string
		want                 taken
	}{
		"claude code, prompt": {"claude-code", "UserPromptSubmit",
			`{"session_id":"s1","prompt_id":"p1","transcript_path":"/t.jsonl","cwd":"/src/shop","permission_mode":"default","hook_event_name":"UserPromptSubmit","prompt":"Which port?"}`,
			taken{Host: "claude-code", Name: "UserPromptSubmit", Kind: "prompt", Session: "s1", Dir: "/src/shop", Role: "user",
				Text: "Which port?", Keyed: true, Answer: inForm("UserPromptSubmit")}},
		"claude code's hooks in VS Code": {"claude-code", "PostToolUse",
			`{"timestamp":"2026-02-09T10:30:00.000Z","cwd":"/src","sessionId":"s1",
			"hookEventName":"UserPromptSubmit","transcript_path":"/t.json","prompt":"Which port?"}`,
			taken{Host: "vscode", Name: "UserPromptSubmit", Kind: "prompt", Session: "s1", Dir: "/src", Role: "user",
				Text: "Which port?"}},
		"vs code, start": {"vscode", "SessionStart",
			`{"timestamp":"2026-02-09T10:30:00.000Z","cwd":"/src","sessionId":"s1",
			"hookEventName":"SessionStart","transcript_path":"/t.json","source":"new"}`,
			taken{Host: "vscode", Name: "SessionStart", Kind: "start", Session: "s1", Dir: "/src", Source: "new",
				Answer: inForm("SessionStart")}},
		"vs code, tool": {"vscode", "PostToolUse",
			`{"timestamp":"2026-02-09T10:30:00.000Z","cwd":"/src","sessionId":"s1",
			"hookEventName":"PostToolUse","tool_name":"editFiles","tool_input":{"files":["src/main.ts"]},
			"tool_use_id":"tool-123","tool_response":"File edited successfully"}`,
			taken{Host: "vscode", Name: "PostToolUse", Kind: "tool", Session: "s1", Dir: "/src", Role: "tool",
				Text: "editFiles: {\"files\":[\"src/main.ts\"]}\n→ File edited successfully", Keyed: true}},
		"vs code, stop": {"vscode", "Stop",
			`{"cwd":"/src","sessionId":"s1","hookEventName":"Stop","stop_hook_active":false}`,
			taken{Host: "vscode", Name: "Stop", Kind: "rest", Session: "s1", Dir: "/src"}},
		"windsurf, prompt": {"windsurf", "pre_user_prompt",
			`{"agent_action_name":"pre_user_prompt","trajectory_id":"t1","execution_id":"e1",
			"timestamp":"2026-11-15T10:30:00Z",
			"tool_info":{"user_prompt":"can you run the echo hello command"}}`,
			taken{Host: "windsurf", Name: "pre_user_prompt", Kind: "prompt", Session: "t1", Role: "user",
				Text: "can you run the echo hello command", Keyed: true}},
		"windsurf, answer": {"windsurf", "post_cascade_response",
			`{"agent_action_name":"post_cascade_response","trajectory_id":"t1","execution_id":"e1",
			"tool_info":{"response":"### Planner Response\n\nI'll create it.\n\n### Planner Response\n\nThe file is there."}}`,
			taken{Host: "windsurf", Name: "post_cascade_response", Kind: "answer", Session: "t1", Role: "assistant",
				Text: "The file is there.", Keyed: true}},
		"opencode, prompt": {"opencode", "chat.message",
			`{"session_id":"ses_1","cwd":"/src","prompt":"Which port?","message_id":"msg_1"}`,
			taken{Host: "opencode", Name: "chat.message", Kind: "prompt", Session: "ses_1", Dir: "/src", Role: "user",
				Text: "Which port?", Keyed: true, Answer: inForm("chat.message")}},
		"opencode, prompt to a subagent": {"opencode", "chat.message",
			`{"session_id":"ses_2","cwd":"/src","agent_id":"ses_2","agent_type":"explore","prompt":"Look.",
			"message_id":"msg_1"}`,
			taken{Host: "opencode", Name: "chat.message", Kind: "prompt", Session: "ses_2", Dir: "/src",
				Answer: inForm("chat.message")}},
		"opencode, tool": {"opencode", "tool.execute.after",
			`{"session_id":"ses_1","cwd":"/src","tool_name":"bash","tool_input":{"command":"echo hello",
			"description":"says hello"},"tool_response":"hello\n","tool_use_id":"toolu_1"}`,
			taken{Host: "opencode", Name: "tool.execute.after", Kind: "tool", Session: "ses_1", Dir: "/src", Role: "tool",
				Text: "bash: echo hello — says hello\n→ hello", Keyed: true}},
		"opencode, tool of ours": {"opencode", "tool.execute.after",
			`{"session_id":"ses_1","tool_name":"memory-graph_retrieve","tool_input":{},
			"tool_response":{"content":[{"type":"text","text":"found"}]}}`,
			taken{Host: "opencode", Name: "tool.execute.after", Kind: "tool", Session: "ses_1"}},
		"opencode, answer": {"opencode", "session.idle",
			`{"session_id":"ses_1","cwd":"/src","last_assistant_message":"It is 8443.","message_id":"msg_2"}`,
			taken{Host: "opencode", Name: "session.idle", Kind: "answer", Session: "ses_1", Dir: "/src", Role: "assistant",
				Text: "It is 8443.", Keyed: true}},
		"cline, prompt": {"cline", "UserPromptSubmit",
			`{"session_id":"17_x","cwd":"/src","prompt":"<mode_notice>The user switched.</mode_notice>\n` +
				`<user_input mode=\"act\">Which port?</user_input>","message_id":"m1"}`,
			taken{Host: "cline", Name: "UserPromptSubmit", Kind: "prompt", Session: "17_x", Dir: "/src", Role: "user",
				Text: "Which port?", Keyed: true, Answer: inForm("UserPromptSubmit")}},
		"cline, start": {"cline", "TaskStart", `{"session_id":"17_x","cwd":"/src","source":"resume"}`,
			taken{Host: "cline", Name: "TaskStart", Kind: "start", Session: "17_x", Dir: "/src", Source: "resume",
				Answer: inForm("TaskStart")}},
		"cline, tool": {"cline", "PostToolUse",
			`{"session_id":"17_x","cwd":"/src","tool_name":"run_commands","tool_input":{"commands":["make"]},
			"tool_response":"built","tool_use_id":"t1"}`,
			taken{Host: "cline", Name: "PostToolUse", Kind: "tool", Session: "17_x", Dir: "/src", Role: "tool",
				Text: "run_commands: make\n→ built", Keyed: true}},
		"cline, tool that only reads": {"cline", "PostToolUse",
			`{"session_id":"17_x","tool_name":"read_files","tool_input":{"files":[{"path":"/a"}]},"tool_response":"x"}`,
			taken{Host: "cline", Name: "PostToolUse", Kind: "tool", Session: "17_x"}},
		"cline, failed tool of a subagent": {"cline", "PostToolUseFailure",
			`{"session_id":"17_x","cwd":"/src","agent_id":"a2","agent_type":"scout","tool_name":"run_commands",
			"tool_input":{"command":"make"},"error":"no rule","tool_use_id":"t2"}`,
			taken{Host: "cline", Name: "PostToolUseFailure", Kind: "tool", Session: "17_x", Dir: "/src", Role: "tool",
				Text: "run_commands: make\n→ failed: no rule", Keyed: true, Speaker: "scout"}},
		"cline, answer": {"cline", "TaskComplete",
			`{"session_id":"17_x","cwd":"/src","last_assistant_message":"It is 8443.","message_id":"run_1"}`,
			taken{Host: "cline", Name: "TaskComplete", Kind: "answer", Session: "17_x", Dir: "/src", Role: "assistant",
				Text: "It is 8443.", Keyed: true}},
		"claude code before prompt ids": {"claude-code", "UserPromptSubmit",
			`{"session_id":"s1","cwd":"/src/shop","hook_event_name":"UserPromptSubmit","prompt":"Which port?"}`,
			taken{Host: "claude-code", Name: "UserPromptSubmit", Kind: "prompt", Session: "s1", Dir: "/src/shop", Role: "user",
				Text: "Which port?", Answer: inForm("UserPromptSubmit")}},
		"claude code, tool": {"claude-code", "PostToolUse",
			`{"session_id":"s1","cwd":"/src","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"go test ./...","description":"Run the tests","timeout":1000},"tool_response":{"stdout":"ok shop","stderr":"","interrupted":false,"isImage":false},"tool_use_id":"toolu_1"}`,
			taken{Host: "claude-code", Name: "PostToolUse", Kind: "tool", Session: "s1", Dir: "/src", Role: "tool",
				Text: "Bash: go test ./... — Run the tests\n→ ok shop", Keyed: true}},
		"claude code, stop": {"claude-code", "Stop",
			`{"session_id":"s1","cwd":"/src","hook_event_name":"Stop","stop_hook_active":false,"last_assistant_message":"Done: it is 8443."}`,
			taken{Host: "claude-code", Name: "Stop", Kind: "answer", Session: "s1", Dir: "/src", Role: "assistant",
				Text: "Done: it is 8443."}},
		"claude code, subagent": {"claude-code", "SubagentStop",
			`{"session_id":"s1","cwd":"/src","hook_event_name":"SubagentStop","agent_id":"a1","agent_type":"Explore","last_assistant_message":"Found it."}`,
			taken{Host: "claude-code", Name: "SubagentStop", Kind: "answer", Session: "s1", Dir: "/src", Role: "assistant",
				Speaker: "Explore", Text: "Found it."}},
		"claude code, start": {"claude-code", "SessionStart",
			`{"session_id":"s2","cwd":"/src","hook_event_name":"SessionStart","source":"resume","model":"m"}`,
			taken{Host: "claude-code", Name: "SessionStart", Kind: "start", Session: "s2", Dir: "/src", Source: "resume",
				Answer: inForm("SessionStart")}},
		"claude code, an error in the place of an answer": {"claude-code", "StopFailure",
			`{"session_id":"s1","cwd":"/src","hook_event_name":"StopFailure","error":"rate_limit","last_assistant_message":"API Error: Rate limit reached"}`,
			taken{Host: "claude-code", Name: "StopFailure", Kind: "rest", Session: "s1", Dir: "/src"}},
		"claude code, a tool that failed": {"claude-code", "PostToolUse",
			`{"session_id":"s1","cwd":"/src","hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_input":{"command":"npm test"},"tool_use_id":"t1","error":"Exit code 1","is_interrupt":false}`,
			taken{Host: "claude-code", Name: "PostToolUseFailure", Kind: "tool", Session: "s1", Dir: "/src", Role: "tool",
				Text: "Bash: npm test\n→ failed: Exit code 1", Keyed: true}},
		"claude code, a tool of a subagent": {"claude-code", "PostToolUse",
			`{"session_id":"s1","cwd":"/src","agent_id":"a1","agent_type":"Explore","tool_name":"Bash","tool_input":{"command":"ls"},"tool_use_id":"t1","tool_response":"a"}`,
			taken{Host: "claude-code", Name: "PostToolUse", Kind: "tool", Session: "s1", Dir: "/src", Role: "tool",
				Speaker: "Explore", Text: "Bash: ls\n→ a", Keyed: true}},
		"claude code, what an agent tells another": {"claude-code", "UserPromptSubmit",
			`{"session_id":"s1","agent_id":"a1","agent_type":"Explore","prompt":"Look for the port."}`,
			taken{Host: "claude-code", Name: "UserPromptSubmit", Kind: "prompt", Session: "s1",
				Answer: inForm("UserPromptSubmit")}},
		"claude code, the main agent is one of a kind": {"claude-code", "Stop",
			`{"session_id":"s1","agent_type":"Reviewer","last_assistant_message":"Fine."}`,
			taken{Host: "claude-code", Name: "Stop", Kind: "answer", Session: "s1", Role: "assistant", Text: "Fine."}},
		"claude code, a fork": {"claude-code", "SessionStart", `{"session_id":"s3","cwd":"/src","source":"fork"}`,
			taken{Host: "claude-code", Name: "SessionStart", Kind: "start", Session: "s3", Dir: "/src", Source: "resume",
				Answer: inForm("SessionStart")}},
		"cursor, a tool that failed": {"cursor", "postToolUseFailure",
			`{"conversation_id":"c1","tool_name":"Shell","tool_input":{"command":"x"},"tool_use_id":"u1","error_message":"timed out","failure_type":"timeout"}`,
			taken{Host: "cursor", Name: "postToolUseFailure", Kind: "tool", Session: "c1", Role: "tool",
				Text: "Shell: x\n→ failed: timed out", Keyed: true}},
		"claude code, end": {"claude-code", "SessionEnd", `{"session_id":"s2","cwd":"/src","reason":"clear"}`,
			taken{Host: "claude-code", Name: "SessionEnd", Kind: "rest", Session: "s2", Dir: "/src"}},
		"claude code, compaction": {"claude", "pre-compact", `{"session_id":"s2","cwd":"/src","trigger":"auto"}`,
			taken{Host: "claude-code", Name: "PreCompact", Kind: "rest", Session: "s2", Dir: "/src"}},
		"codex, prompt": {"codex", "UserPromptSubmit",
			`{"session_id":"s","turn_id":"t1","transcript_path":null,"cwd":"/w","hook_event_name":"UserPromptSubmit","model":"m","permission_mode":"default","prompt":"hello"}`,
			taken{Host: "codex", Name: "UserPromptSubmit", Kind: "prompt", Session: "s", Dir: "/w", Role: "user", Text: "hello",
				Keyed: true, Answer: inForm("UserPromptSubmit")}},
		"codex, stop without a message": {"codex", "Stop",
			`{"session_id":"s","turn_id":"t1","transcript_path":null,"cwd":"/w","hook_event_name":"Stop","last_assistant_message":null}`,
			taken{Host: "codex", Name: "Stop", Kind: "answer", Session: "s", Dir: "/w"}},
		"codex, tool": {"codex", "PostToolUse",
			`{"session_id":"s","turn_id":"t1","cwd":"/w","tool_name":"shell","tool_input":{"command":["ls","-la"]},"tool_response":"total 0","tool_use_id":"c1"}`,
			taken{Host: "codex", Name: "PostToolUse", Kind: "tool", Session: "s", Dir: "/w", Role: "tool",
				Text: "shell: ls\n-la\n→ total 0", Keyed: true}},
		"cursor, prompt": {"cursor", "beforeSubmitPrompt",
			`{"conversation_id":"c1","generation_id":"g1","hook_event_name":"beforeSubmitPrompt","cursor_version":"3.2","workspace_roots":["/w/shop"],"prompt":"hello","attachments":[]}`,
			taken{Host: "cursor", Name: "beforeSubmitPrompt", Kind: "prompt", Session: "c1", Dir: "/w/shop", Role: "user",
				Text: "hello", Keyed: true, Answer: `{"continue":true}` + "\n"}},
		"cursor, start": {"cursor", "sessionStart",
			`{"conversation_id":"c1","session_id":"c1","workspace_roots":["/w/shop"],"is_background_agent":false}`,
			taken{Host: "cursor", Name: "sessionStart", Kind: "start", Session: "c1", Dir: "/w/shop",
				Answer: `{"additional_context":"C"}` + "\n"}},
		"cursor, answer": {"cursor", "afterAgentResponse",
			`{"conversation_id":"c1","generation_id":"g1","workspace_roots":["/w/shop"],"text":"It is 8443."}`,
			taken{Host: "cursor", Name: "afterAgentResponse", Kind: "answer", Session: "c1", Dir: "/w/shop", Role: "assistant",
				Text: "It is 8443.", Keyed: true}},
		"cursor, tool": {"cursor", "postToolUse",
			`{"conversation_id":"c1","generation_id":"g1","workspace_roots":["/w/shop"],"cwd":"/w/shop/api","tool_name":"Shell","tool_input":{"command":"npm test"},"tool_output":"{\"output\":\"ok\"}","tool_use_id":"u1"}`,
			taken{Host: "cursor", Name: "postToolUse", Kind: "tool", Session: "c1", Dir: "/w/shop", Role: "tool",
				Text: "Shell: npm test\n→ ok", Keyed: true}},
		"claude code's hook, run by cursor": {"claude-code", "UserPromptSubmit",
			`{"conversation_id":"c1","generation_id":"g1","hook_event_name":"beforeSubmitPrompt","cursor_version":"3.2","workspace_roots":["/w"],"prompt":"hello"}`,
			taken{Host: "cursor", Name: "beforeSubmitPrompt", Kind: "prompt", Session: "c1", Dir: "/w", Role: "user",
				Text: "hello", Keyed: true, Answer: `{"continue":true}` + "\n"}},
		"gemini, prompt": {"gemini-cli", "BeforeAgent",
			`{"session_id":"g","transcript_path":"/t.json","cwd":"/w","hook_event_name":"BeforeAgent","timestamp":"2026-11-22T03:00:00.000Z","prompt":"hello"}`,
			taken{Host: "gemini-cli", Name: "BeforeAgent", Kind: "prompt", Session: "g", Dir: "/w", Role: "user", Text: "hello",
				Keyed: true, Answer: inForm("BeforeAgent")}},
		"gemini, answer": {"gemini", "AfterAgent",
			`{"session_id":"g","cwd":"/w","timestamp":"t","prompt":"hello","prompt_response":"Hi!","stop_hook_active":false}`,
			taken{Host: "gemini-cli", Name: "AfterAgent", Kind: "answer", Session: "g", Dir: "/w", Role: "assistant",
				Text: "Hi!", Keyed: true}},
		"gemini, tool": {"gemini", "AfterTool",
			`{"session_id":"g","cwd":"/w","timestamp":"t","tool_name":"run_shell_command","tool_input":{"command":"ls"},"tool_response":{"llmContent":[{"text":"a.txt"}],"returnDisplay":"a.txt"}}`,
			taken{Host: "gemini-cli", Name: "AfterTool", Kind: "tool", Session: "g", Dir: "/w", Role: "tool",
				Text: "run_shell_command: ls\n→ a.txt", Keyed: true}},
		"the payload names another event than the settings": {"codex", "Stop",
			`{"session_id":"s","cwd":"/w","hook_event_name":"UserPromptSubmit","prompt":"hello"}`,
			taken{Host: "codex", Name: "UserPromptSubmit", Kind: "prompt", Session: "s", Dir: "/w", Role: "user", Text: "hello",
				Answer: inForm("UserPromptSubmit")}},
		"a newer form: blocks in the place of a string, and what is not known": {"claude-code", "UserPromptSubmit",
			`{"session_id":"s","cwd":"/w","prompt":[{"type":"text","text":"one"},{"type":"image","data":"…"},{"type":"text","text":"two"}],"new":{"a":[1]}}`,
			taken{Host: "claude-code", Name: "UserPromptSubmit", Kind: "prompt", Session: "s", Dir: "/w", Role: "user",
				Text: "one\ntwo", Answer: inForm("UserPromptSubmit")}},
		"a mark before the text": {"claude-code", "SessionEnd", "\xef\xbb\xbf{\"session_id\":\"s\"}",
			taken{Host: "claude-code", Name: "SessionEnd", Kind: "rest", Session: "s"}},
		"a path that is none": {"claude-code", "SessionEnd", `{"session_id":"s","cwd":"src"}`,
			taken{Host: "claude-code", Name: "SessionEnd", Kind: "rest", Session: "s"}},
		"not the user's words": {"claude-code", "UserPromptSubmit",
			`{"session_id":"s","prompt":"<task-notification>x</task-notification>"}`, taken{Host: "claude-code",
				Name: "UserPromptSubmit", Kind: "prompt", Session: "s", Answer: inForm("UserPromptSubmit")}},
	} {
		got, err := take(t, tc.host, tc.event, tc.payload)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestParse_TakesABadPayloadAsFarAsItGoes(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		host, event, payload, says string
		want                       taken
	}{
		"empty":   {"claude-code", "Stop", " \n", "empty", taken{Host: "claude-code", Name: "Stop", Kind: "answer"}},
		"no JSON": {"claude-code", "Stop", "hello", "not JSON", taken{Host: "claude-code", Name: "Stop", Kind: "answer"}},
		"a list": {"claude-code", "Stop", `["a"]`, "not a JSON object",
			taken{Host: "claude-code", Name: "Stop", Kind: "answer"}},
		"null": {"claude-code", "Stop", `null`, "not a JSON object",
			taken{Host: "claude-code", Name: "Stop", Kind: "answer"}},
		"other types": {"claude-code", "Stop", `{"session_id":7,"cwd":["/w"],"last_assistant_message":{"a":1}}`, "",
			taken{Host: "claude-code", Name: "Stop", Kind: "answer", Dir: "/w"}},
		"cut behind the prompt": {"codex", "UserPromptSubmit", `{"session_id":"s","prompt":"hello","cwd":"/w","mod`,
			"cut off",
			taken{Host: "codex", Name: "UserPromptSubmit", Kind: "prompt", Session: "s", Dir: "/w", Role: "user", Text: "hello",
				Answer: strings.ReplaceAll(nested, "%", "UserPromptSubmit")}},
		"cut in the prompt": {"codex", "UserPromptSubmit", `{"session_id":"s","prompt":"hel`, "cut off",
			taken{Host: "codex", Name: "UserPromptSubmit", Kind: "prompt", Session: "s",
				Answer: strings.ReplaceAll(nested, "%", "UserPromptSubmit")}},
		"cut in what a tool returned": {"claude-code", "PostToolUse",
			`{"session_id":"s","tool_name":"Bash","tool_input":{"command":"cat big"},"tool_response":{"stdout":"aaaa`, "cut off",
			taken{Host: "claude-code", Name: "PostToolUse", Kind: "tool", Session: "s", Role: "tool", Text: "Bash: cat big"}},
		"unknown event": {"claude-code", "Dreaming", `{"session_id":"s","message":"x"}`, "no known event",
			taken{Host: "claude-code", Name: "Dreaming", Session: "s"}},
		"unknown event with a prompt": {"claude-code", "PromptExpanded", `{"session_id":"s","prompt":"hi"}`, "no known event",
			taken{Host: "claude-code", Name: "PromptExpanded", Kind: "prompt", Session: "s", Role: "user", Text: "hi"}},
		"unknown event with an answer": {"codex", "ThreadStop", `{"session_id":"s","last_assistant_message":"hi"}`,
			"no known event",
			taken{Host: "codex", Name: "ThreadStop", Kind: "answer", Session: "s", Role: "assistant", Text: "hi"}},
		"unknown event of an error": {"codex", "StopFailure",
			`{"session_id":"s","error":"rate_limit","last_assistant_message":"API Error"}`, "no known event",
			taken{Host: "codex", Name: "StopFailure", Session: "s"}},
		"unknown event before a tool": {"codex", "PreToolUse",
			`{"session_id":"s","tool_name":"shell","tool_input":{"command":"ls"}}`, "no known event", taken{Host: "codex",
				Name: "PreToolUse", Session: "s"}},
		"unknown host": {"emacs", "Stop", `{}`, "no host", taken{Host: "emacs", Name: "Stop"}},
		"a NUL byte": {"codex", "Stop", `{"session_id":"s","last_assistant_message":"a\u0000b"}`, "",
			taken{Host: "codex", Name: "Stop", Kind: "answer", Session: "s", Role: "assistant", Text: "ab"}},
	} {
		got, err := take(t, tc.host, tc.event, tc.payload)
		if (err == nil) != (tc.says == "") || err != nil && !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: the error is %v, want one with %q", name, err, tc.says)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestTurn_ARepeatedDeliveryHasTheSameKeyAndNothingElse(t *testing.T) {
	t.Parallel()
	key := func(event, payload string) string {
		e, err := hooks.Parse("claude-code", event, []byte(payload))
		if err != nil {
			t.Fatal(err)
		}
		turn, ok := e.Turn(when, hooks.Keeping{MaxBytes: 4000})
		if !ok || turn.Key == "" {
			t.Fatalf("no key for %s", payload)
		}
		if !strings.HasPrefix(turn.Key, memory.HookSource) || strings.HasPrefix(turn.Key, memory.OnceKey) {
			t.Errorf("key %q", turn.Key)
		}
		return turn.Key
	}
	first := key("UserPromptSubmit", `{"session_id":"s","prompt_id":"p1","prompt":"ok"}`)
	if again := key("UserPromptSubmit", `{"prompt":"ok","prompt_id":"p1","session_id":"s","new":1}`); again != first {
		t.Errorf("the same delivery: %q and %q", first, again)
	}
	for name, other := range map[string]string{
		"another prompt":  key("UserPromptSubmit", `{"session_id":"s","prompt_id":"p2","prompt":"ok"}`),
		"another session": key("UserPromptSubmit", `{"session_id":"t","prompt_id":"p1","prompt":"ok"}`),
		"another text":    key("UserPromptSubmit", `{"session_id":"s","prompt_id":"p1","prompt":"ok!"}`),
		"an answer":       key("Stop", `{"session_id":"s","prompt_id":"p1","last_assistant_message":"ok"}`),
	} {
		if other == first {
			t.Errorf("%s has the same key", name)
		}
	}
}

func TestTurn_SaysWhatItLeavesOut(t *testing.T) {
	t.Parallel()
	text := "begin " + strings.Repeat("é", 5000) + " end"
	payload, err := json.Marshal(map[string]string{"session_id": "s", "prompt": text})
	if err != nil {
		t.Fatal(err)
	}
	e, err := hooks.Parse("claude-code", "UserPromptSubmit", payload)
	if err != nil {
		t.Fatal(err)
	}
	turn, _ := e.Turn(when, hooks.Keeping{MaxBytes: 1000})
	if len(turn.Text) > 1000 || !strings.HasPrefix(turn.Text, "begin ") || !strings.HasSuffix(turn.Text, " end") ||
		!strings.Contains(turn.Text, "bytes are left out here") {
		t.Errorf("%d bytes: %q", len(turn.Text), turn.Text)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("claude-code", "UserPromptSubmit",
		[]byte(`{"session_id":"s","cwd":"/w","prompt":"hello","hook_event_name":"Stop"}`))
	f.Add("cursor", "postToolUse",
		[]byte(`{"tool_name":"Shell","tool_input":"{\"a\":1}","tool_output":"[1]","workspace_roots":["/c:/x"]}`))
	f.Add("gemini", "AfterTool", []byte(`{"tool_response":{"llmContent":[[["x"]]]},"tool_name":"x"`))
	f.Add("codex", "new", []byte("\xef\xbb\xbf{\"prompt\":[{\"type\":\"text\",\"text\":null}]}"))
	f.Add("x", "", []byte("null"))
	f.Fuzz(func(t *testing.T, host, event string, payload []byte) {
		e, err := hooks.Parse(host, event, payload)
		if err == nil && !json.Valid([]byte(strings.TrimPrefix(string(payload), "\xef\xbb\xbf"))) && json.Valid(payload) {
			t.Error("broken JSON is no error")
		}
		for _, all := range []bool{false, true} {
			turn, ok := e.Turn(when, hooks.Keeping{MaxBytes: 300, AllTools: all})
			if ok && (strings.TrimSpace(turn.Text) == "" || strings.Contains(turn.Text, "\x00") || len(turn.Text) > 300) {
				t.Errorf("turn %q", turn.Text)
			}
			if ok && turn.Role != memory.RoleUser && turn.Role != memory.RoleAssistant && turn.Role != memory.RoleTool {
				t.Errorf("role %q", turn.Role)
			}
		}
		if out := e.Answer("a <b> \"c\"\n"); out != nil && !json.Valid(out) {
			t.Errorf("answer %q", out)
		}
	})
}
