package server

import (
	"encoding/json"
	"strings"
	"testing"
)

// FuzzNestedID searches arbitrary messages for ids. A message that encoding/json reads is not too deep, and an id is
// found after any other text.
func FuzzNestedID(f *testing.F) {
	for _, s := range []string{"", "id", `"id":1`, `\"`, "\\", "{", "[[", `{"id":{"id":1}}`, "\x00\xff"} {
		f.Add(s)
	}
	deep := strings.Repeat("[", maxNesting+1) + strings.Repeat("]", maxNesting+1)
	f.Fuzz(func(t *testing.T, s string) {
		if _, tooDeep := nestedID([]byte(s)); tooDeep && json.Valid([]byte(s)) {
			t.Errorf("%q is too deep", s)
		}
		quoted, err := json.Marshal(s)
		if err != nil || len(quoted) > longestID {
			t.Skip()
		}
		var want string
		if err := json.Unmarshal(quoted, &want); err != nil { // invalid UTF-8 is replaced
			t.Fatal(err)
		}
		q := string(quoted)
		message := `{` + q + `x:` + q + `,"a":[{"id":` + q + `}],"p":` + deep + `, "id" :` + q + `}`
		if id, tooDeep := nestedID([]byte(message)); !tooDeep || id != want {
			t.Errorf("id %q of a message with %q", id, want)
		}
	})
}
