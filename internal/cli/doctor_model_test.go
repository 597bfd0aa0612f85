package cli_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// doctor shows the model that reads turns, and looks for every configured model in the endpoint's list.
func TestDoctor_LooksForTheModelsThatAreAsked(t *testing.T) {
	t.Parallel()
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"data":[{"id":"there"},{"id":"there-too"}]}`))
	}))
	defer endpoint.Close()
	for _, tc := range []struct{ model, extract, shown, state, missing string }{
		{"there", "", "there", "answers", ""},
		{"", "there", "there", "answers", ""},
		{"there", "there-too", "there-too", "answers", ""},
		{"there", "away", "away", "answers, but does not list this model", `"away". Check extract_model.`},
		{"away", "there", "there", "answers", `"away". Check llm_model.`},
		{"away", "", "away", "answers, but does not list this model", `"away". Check llm_model.`},
	} {
		args := []string{"--llm-base-url", endpoint.URL + "/v1"}
		for flag, model := range map[string]string{"--llm-model": tc.model, "--extract-model": tc.extract} {
			if model != "" {
				args = append(args, flag, model)
			}
		}
		r := doctor(t, t.TempDir(), 0, args...)
		m, _ := r["language_model"].(map[string]any)
		if m["model"] != tc.shown || m["state"] != tc.state {
			t.Errorf("%+v: model %v", tc, m)
		}
		if w := findings(r, "warning"); strings.Contains(w, "does not list") != (tc.missing != "") ||
			!strings.Contains(w, tc.missing) {
			t.Errorf("%+v: warnings: %s", tc, w)
		}
	}
}
