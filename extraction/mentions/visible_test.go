package mentions_test

import (
	"testing"

	"memory-graph/extraction/mentions"
)

func TestVisible_LeavesOutWhatNobodySees(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Ac\u200bme": "Acme", "Ana\u202e Belling": "Ana Belling", "\ufeffGraz\u2060": "Graz", "Ac\u200dme": "Acme",
		"Soft\u00adware": "Software", "Zoë": "Zoë",
		"می\u200cخواهم": "می\u200cخواهم", "👩\u200d💻": "👩\u200d💻", "\u200d": "", "a\u200c": "a", "": "",
	} {
		if got := mentions.Visible(name); got != want {
			t.Errorf("Visible(%q) = %q, want %q", name, got, want)
		}
	}
}
