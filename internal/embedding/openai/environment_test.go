package openai_test

import (
	"context"
	"net/http"
	"testing"

	"memory-graph/internal/embedding"
)

// Not parallel: it sets the variables that the library's client would read.
func TestEmbed_IgnoresTheVariablesOfOtherPrograms(t *testing.T) {
	for name, value := range map[string]string{
		"OPENAI_API_KEY": "sk-of-another-program", "OPENAI_BASE_URL": "http://127.0.0.1:1/v1", "OPENAI_ORG_ID": "org",
		"OPENAI_PROJECT_ID": "project", "OPENAI_CUSTOM_HEADERS": "X-Other: 1", "OPENAI_ADMIN_KEY": "sk-admin",
	} {
		t.Setenv(name, value)
	}
	o := serve(t, func(w http.ResponseWriter, r *http.Request, in asked, _ int) {
		for _, h := range []string{"Authorization", "OpenAI-Organization", "OpenAI-Project", "X-Other"} {
			if v := r.Header.Get(h); v != "" {
				t.Errorf("sent %s: %s", h, v)
			}
		}
		answerAll(w, in)
	})
	o.APIKey = ""
	if _, err := mustNew(t, o).Embed(context.Background(), embedding.Query, []string{"x"}); err != nil {
		t.Error(err)
	}
}
