package hooks

import (
	"bytes"
	"encoding/json"
)

// TakesContext reports whether the host reads a context from the answer to this event.
func (e Event) TakesContext() bool { return e.form == nested || e.form == flat }

// Answer returns the answer for stdout, with context if the host takes one. It returns nil if there is nothing to
// write.
func (e Event) Answer(context string) []byte {
	switch {
	case e.form == goAhead:
		return object(map[string]any{"continue": true})
	case context == "":
		return nil
	case e.form == nested:
		type output struct {
			Event   string `json:"hookEventName"`
			Context string `json:"additionalContext"`
		}
		return object(map[string]output{"hookSpecificOutput": {e.Name, context}})
	case e.form == flat:
		return object(map[string]string{"additional_context": context})
	}
	return nil
}

func object(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // strings and booleans always encode
	return b.Bytes()
}
