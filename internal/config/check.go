package config

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"memory-graph/internal/memory"
)

// resolve makes the paths absolute. ~ is the home directory. A relative path is relative to the configuration file if
// it comes from there, and otherwise to the working directory. The default database is in the data directory.
func (c *Config) resolve(sources Sources, home string) error {
	for key, p := range map[string]*string{"db": &c.DB, "log_file": &c.LogFile} {
		if *p == "" {
			continue
		}
		if rest, ok := strings.CutPrefix(*p, "~/"); ok && home != "" {
			*p = filepath.Join(home, rest)
		}
		if !filepath.IsAbs(*p) && strings.HasPrefix(sources[key], "file ") {
			*p = filepath.Join(filepath.Dir(c.File), *p)
		}
		abs, err := filepath.Abs(*p)
		if err != nil {
			return memory.Errorf(memory.InvalidArgument, "Cannot make %s = %q (%s) an absolute path: %w.", key, *p,
				sources[key], err)
		}
		*p = abs
	}
	if c.DB == "" {
		if c.DB = join(c.Paths.Data, "memory.db"); c.DB == "" {
			return memory.Errorf(memory.InvalidArgument,
				"The path of the database is unknown: neither a home directory nor %sDB is set.", EnvPrefix).
				WithHint("Set HOME, or %sDB to an absolute path.", EnvPrefix)
		}
	}
	return nil
}

// checkTogether checks settings that depend on each other.
func (c *Config) checkTogether(sources Sources) error {
	sa, nl, l := c.SpreadingActivation, c.NoteLinking, c.Limits
	num := func(f float64) string { return text(f) }
	rules := []struct {
		ok         bool
		key, value string
		allowed    string
	}{
		{sa.ActivationThreshold < sa.InhibitionThreshold, "spreading_activation.activation_threshold",
			num(sa.ActivationThreshold),
			"a number below spreading_activation.inhibition_threshold, which is " + num(sa.InhibitionThreshold)},
		{c.EntityAmbiguousThreshold <= c.EntitySimilarityThreshold, "entity_ambiguous_threshold",
			num(c.EntityAmbiguousThreshold),
			"a number not above entity_similarity_threshold, which is " + num(c.EntitySimilarityThreshold)},
		{nl.AmbiguousMin <= nl.AmbiguousMax, "note_linking.ambiguous_similarity_min", num(nl.AmbiguousMin),
			"a number not above note_linking.ambiguous_similarity_max, which is " + num(nl.AmbiguousMax)},
		{c.ConfidenceMinimum <= c.ConfidenceThreshold, "confidence_minimum", num(c.ConfidenceMinimum),
			"a number not above confidence_threshold, which is " + num(c.ConfidenceThreshold)},
		{c.MaxHops <= l.SearchHops, "max_hops", text(c.MaxHops),
			"a whole number not above limits.search_hops, which is " + text(l.SearchHops)},
		{c.MaxHops <= l.TraverseHops, "max_hops", text(c.MaxHops),
			"a whole number not above limits.traverse_hops, which is " + text(l.TraverseHops)},
		{sa.MaxHops <= l.SearchHops, "spreading_activation.max_hops", text(sa.MaxHops),
			"a whole number not above limits.search_hops, which is " + text(l.SearchHops)},
		{l.DefaultResults <= l.Results, "limits.default_results", text(l.DefaultResults),
			"a whole number not above limits.results, which is " + text(l.Results)},
		{l.AnswerBytes <= l.FullAnswerBytes, "limits.full_answer_bytes", text(l.FullAnswerBytes),
			"a whole number not below limits.answer_bytes, which is " + text(l.AnswerBytes)},
		{l.ContentBytes < l.BodyBytes, "limits.body_bytes", text(l.BodyBytes),
			"a whole number above limits.content_bytes, which is " + text(l.ContentBytes)},
		{c.Embedder != "openai" || c.EmbeddingBaseURL != "", "embedding_base_url", `""`,
			"a URL if embedder is openai"},
		{c.Embedder != "openai" || c.EmbeddingModel != "", "embedding_model", `""`, "a model's name if embedder is openai"},
		{c.LLMBaseURL == "" || c.LLMModel != "" || c.ExtractModel != "", "llm_model", `""`,
			"a model's name if llm_base_url is set"},
		{c.LLMCommand == "" || c.LLMBaseURL == "", "llm_command", strconv.Quote(c.CommandName()),
			"empty if llm_base_url is set: a model is asked in one way"},
		{!c.SSE || c.HTTP != "", "sse", "true", "true only if http is set"},
	}
	for _, r := range rules {
		if !r.ok {
			return refuse(find(r.key), r.value, sources[r.key], r.allowed)
		}
	}
	return nil
}

// find returns the setting of a key, which must exist.
func find(key string) Setting {
	for _, s := range Settings() {
		if s.Key == key {
			return s
		}
	}
	return Setting{Key: key}
}

// quoteUnless returns a value from a flag or a variable for a message: text is quoted, numbers are not.
func quoteUnless(k Kind, s string) string {
	const longest = 200 // bytes
	if len(s) > longest {
		s = s[:longest] + "…"
	}
	if _, err := strconv.ParseFloat(s, 64); err == nil && k != String && k != List {
		return s
	}
	return strconv.Quote(s)
}

// tomlText returns a value of the file for a message.
func tomlText(v any) string {
	switch v := v.(type) {
	case string:
		return quoteUnless(String, v)
	case map[string]any:
		return "a table"
	case float64:
		return text(v)
	}
	s := fmt.Sprint(v)
	if len(s) > 200 {
		s = s[:200] + "…"
	}
	return s
}
