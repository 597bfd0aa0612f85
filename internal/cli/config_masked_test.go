package cli

import "testing"

func TestMaskedSetting_HidesCredentialsAndNothingElse(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"http://me:hunter2@127.0.0.1:9/v1":          "http://(hidden)@127.0.0.1:9/v1",
		"https://sk-abc@api.example.com/v1":         "https://(hidden)@api.example.com/v1",
		"http://127.0.0.1:11434/v1":                 "http://127.0.0.1:11434/v1",
		"claude -p --model haiku":                   "claude -p --model haiku",
		"claude -p --api-key x1y2z3 --model h":      "claude -p --api-key (hidden) --model h",
		"ask --password=foo1234 -v":                 "ask --password=(hidden) -v",
		"ask --token 'a b c' -v":                    "ask --token (hidden) -v",
		"env OPENAI_API_KEY=abc ask --max-tokens 5": "env OPENAI_API_KEY=(hidden) ask --max-tokens 5",
		"/home/ann/keys/memory.db":                  "/home/ann/keys/memory.db",
		"127.0.0.1:8765":                            "127.0.0.1:8765",
	} {
		if got := maskedSetting(given); got != want {
			t.Errorf("%q: %q, want %q", given, got, want)
		}
	}
}
