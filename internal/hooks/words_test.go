package hooks_test

import (
	"encoding/json"
	"strings"
	"testing"

	"memory-graph/internal/hooks"
)

func TestPrompt_HasTheUsersWordsAlone(t *testing.T) {
	t.Parallel()
	const question = "When is standup?"
	for name, tc := range map[string]struct{ host, prompt, want string }{
		"nothing around": {"claude-code", " " + question + "\n", question},
		"a reminder before": {"claude-code",
			"<system-reminder>Today is x</system-reminder>\nPlease remember that the yak shed is red.", "Please remember that " +
				"the yak shed is red."},
		"a reminder behind": {"claude-code", question + "\n<system-reminder>\nToday is x\n</system-reminder>",
			question},
		"a file that is open": {"claude-code",
			"<ide_opened_file>The user opened the file /x/y.go in the IDE.</ide_opened_file>\n" + question, question},
		"several, with attributes": {"claude-code",
			"<ide_selection file=\"a > b\">x</ide_selection><system-reminder>y</system-reminder> " + question +
				"<ide_diagnostics>z</ide_diagnostics>\n", question},
		"nothing else": {"claude-code",
			"<local-command-caveat>Caveat</local-command-caveat>\n<local-command-stdout>ok</local-command-stdout>", ""},
		"cut off": {"claude-code", "<task-notification>x", ""},
		"a tag in the middle": {"claude-code", "Why is <system-reminder>x</system-reminder> in my log?",
			"Why is <system-reminder>x</system-reminder> in my log?"},
		"a tag of another name": {"claude-code", "<system-reminders>x</system-reminders> is my tag",
			"<system-reminders>x</system-reminders> is my tag"},
		"the user's own tags": {"claude-code", "<bug>it crashes</bug>", "<bug>it crashes</bug>"},
		"a command, unfolded": {"claude-code",
			"<command-message>fix is running…</command-message>\n<command-name>/fix</command-name>\n<command-args>the login " +
				"page is broken</command-args>", "/fix the login page is broken"},
		"a command, the name first": {"claude-code",
			"<command-name>/fix</command-name>\n            <command-message>fix</command-message>\n            " +
				"<command-args>the login page</command-args>", "/fix the login page"},
		"the host's, unfolded": {"claude-code",
			"<command-name>/clear</command-name>\n<command-message>clear</command-message>\n<command-args></command-args>", ""},
		"the host's command":      {"claude-code", "/clear", ""},
		"with words":              {"claude-code", "/compact quokka", ""},
		"the user's command":      {"claude-code", "/fix the login page is broken", "/fix the login page is broken"},
		"on two lines":            {"claude-code", "/team:fix\nthe login page", "/team:fix\nthe login page"},
		"a bare name":             {"claude-code", "/fix", ""},
		"a path":                  {"claude-code", "/usr/bin is full", "/usr/bin is full"},
		"a slash":                 {"claude-code", "/ is full", "/ is full"},
		"no words, a file alone":  {"claude-code", "/home/ann/a.go", "/home/ann/a.go"},
		"another host's command":  {"gemini-cli", "/chat save x", ""},
		"which is not everyone's": {"claude-code", "/chat with me", "/chat with me"},
		"codex, its surroundings": {"codex", "<environment_context>\n  <cwd>/w</cwd>\n</environment_context>\n\n" +
			question, question},
		"codex, instructions": {"codex",
			"# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nBe brief.\n</INSTRUCTIONS>", ""},
		"codex, old instructions": {"codex", "<user_instructions>\n\nBe brief.\n</user_instructions>" + question, question},
		"codex in an editor": {"codex",
			"# Context from my IDE setup:\n\n## Active file: a.go\n\n## My request for Codex:\n" + question + "\n", question},
		"a heading of the user's": {"codex", "# AGENTS.md instructions for tests\nare missing",
			"# AGENTS.md instructions for tests\nare missing"},
		"cursor": {"cursor",
			"<additional_data>\n<current_file>a</current_file>\n</additional_data>\n\n<user_query>\n" + question +
				"\n</user_query>\n", question},
		"cursor, cut off": {"cursor", "<user_query>\n" + question, question},
		"gemini, files": {"gemini-cli", question +
			"\n--- Content from referenced files ---\n\nContent from @a:\nx\n--- End of content ---", question},
		"gemini knows no reminder": {"gemini-cli", "<user_query>x</user_query>", "<user_query>x</user_query>"},
	} {
		event := map[string]string{"claude-code": "UserPromptSubmit", "codex": "UserPromptSubmit",
			"cursor": "beforeSubmitPrompt", "gemini-cli": "BeforeAgent"}[tc.host]
		payload, err := json.Marshal(map[string]string{"session_id": "s", "prompt": tc.prompt})
		if err != nil {
			t.Fatal(err)
		}
		e, err := hooks.Parse(tc.host, event, payload)
		if err != nil {
			t.Fatal(err)
		}
		turn, ok := e.Turn(when, hooks.Keeping{MaxBytes: 4000})
		if turn.Text != tc.want || e.Text != tc.want || ok != (tc.want != "") || e.Spoken() != ok {
			t.Errorf("%s: %q, spoken %v, a turn %v; want %q", name, turn.Text, e.Spoken(), ok, tc.want)
		}
	}
}

// Each block is searched in the whole prompt, so without a limit many blocks would take minutes. The limit leaves the
// rest in the text.
func TestPrompt_OfManyBlocksIsUnwrappedInAFewSteps(t *testing.T) {
	t.Parallel()
	const n = 20_000
	for of, least := range map[string]int{
		"<system-reminder></system-reminder>": n - 101, "<command-args></command-args>": n - 101,
		"<command-args>": n - 101, "</system-reminder>": n - 101,
		"<command-name><system-reminder>": 0, // an unclosed tag has no words of the user
	} {
		payload, err := json.Marshal(map[string]string{"session_id": "s", "prompt": strings.Repeat(of, n)})
		if err != nil {
			t.Fatal(err)
		}
		e, err := hooks.Parse("claude-code", "UserPromptSubmit", payload)
		if err != nil {
			t.Fatal(err)
		}
		if left := strings.Count(e.Text, of); left < least {
			t.Errorf("of %d × %s %d are left, want at least %d", n, of, left, least)
		}
	}
}
