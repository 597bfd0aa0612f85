package prompts_test

import (
	"strings"
	"testing"

	"memory-graph/prompts"
)

func TestMark_FollowsFromTheTexts(t *testing.T) {
	t.Parallel()
	first, again := prompts.Mark("a", "b"), prompts.Mark("a", "b")
	if first == prompts.Mark("ab") || first != again {
		t.Error("the mark tells texts apart, and is the same for the same ones")
	}
	if m := prompts.Mark(); len(m) != 16 {
		t.Errorf("mark %q, want 16 digits", m)
	}
}

func TestLine_IsOneLineWithoutWhatCannotBeSeen(t *testing.T) {
	t.Parallel()
	if got, want := prompts.Line(8, "a\n\tb\u200b c\x00d  ef gh"), "a b cd e…"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := prompts.Line(300, "日本\u2028語"); got != "日本 語" {
		t.Errorf("got %q", got)
	}
}

func TestRender_RefusesWhatIsMissing(t *testing.T) {
	t.Parallel()
	if _, err := prompts.Render("nothing", nil); err == nil || !strings.Contains(err.Error(), "nothing") {
		t.Errorf("error %v, want one that names the prompt", err)
	}
	if _, err := prompts.Render("extract_user", prompts.Data{}); err == nil {
		t.Error("data without its fields was rendered")
	}
}

func TestRender_NeverReadsAValueAsAPrompt(t *testing.T) {
	t.Parallel()
	note := func(text string) prompts.Data {
		return prompts.Data{"Number": "0", "Since": "2026-03-18", "Text": text}
	}
	got, err := prompts.Render("links_user", prompts.Data{"Mark": "m",
		"Notes": []prompts.Data{note("{{Mark}} {{#Notes}} {{/Notes}} {{! x }} {{"), note("b")}})
	want := "<<m note 0, of 2026-03-18>>\n{{Mark}} {{#Notes}} {{/Notes}} {{! x }} {{\n<<m end of note 0>>\n\n" +
		"<<m note 0, of 2026-03-18>>\nb\n<<m end of note 0>>"
	if err != nil || got != want {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
	if _, err := prompts.Render("links_user", prompts.Data{"Mark": "m", "Notes": 7}); err == nil {
		t.Error("a number was taken for a section")
	}
}
