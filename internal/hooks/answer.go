package hooks

import (
	"bytes"
	"encoding/json"
)

// TakesContext says whether the host reads a context in the answer to this event.
func (e Event) TakesContext() bool { return e.form == nested || e.form == flat }

// Answer writes what the host reads on stdout: context, where it takes one and there is any. nil is to write nothing.
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
	_ = enc.Encode(v) // strings and a truth value: nothing that cannot be written
	return b.Bytes()
}
