package tools

import (
	"bytes"
	"encoding/json"
	"reflect"
)

// objects is a list of objects in a call. An error in one object does not affect the others: they are used, and the
// answer reports the error.
type objects[T any] []object[T]

// object is one item: its value, or why it is not valid.
type object[T any] struct {
	Value T
	Err   error
}

// objectList is the interface of objects[T] that decoding uses, for any T.
type objectList interface {
	item() reflect.Type
	decodeItems(sig *signature, items []json.RawMessage)
}

func (objects[T]) item() reflect.Type { return reflect.TypeFor[T]() }

func (l *objects[T]) decodeItems(sig *signature, items []json.RawMessage) {
	*l = make(objects[T], len(items))
	for i, raw := range items {
		it := &(*l)[i]
		it.Err = sig.decode(raw, reflect.ValueOf(&it.Value).Elem())
	}
}

var objectListType = reflect.TypeFor[objectList]()

// isObjects reports whether a field's type is an objects[T].
func isObjects(t reflect.Type) bool { return reflect.PointerTo(t).Implements(objectListType) }

// itemType returns the T of objects[T].
func itemType(t reflect.Type) reflect.Type {
	list, ok := reflect.New(t).Interface().(objectList)
	if !ok {
		return nil
	}
	return list.item()
}

// asObjects splits a list of objects. It accepts one object for a list of one, and a list or object inside a string,
// which some models send.
func asObjects(raw json.RawMessage) ([]json.RawMessage, bool) {
	raw = unquoted(raw)
	switch first(raw) {
	case '{':
		return []json.RawMessage{raw}, true
	case '[':
		var items []json.RawMessage
		return items, json.Unmarshal(raw, &items) == nil
	}
	return nil, false
}

// unquoted returns the object or list inside a JSON string, and everything else unchanged.
func unquoted(raw json.RawMessage) json.RawMessage {
	var inner string
	if first(raw) != '"' || json.Unmarshal(raw, &inner) != nil {
		return raw
	}
	if c := first([]byte(inner)); (c == '{' || c == '[') && json.Valid([]byte(inner)) {
		return bytes.TrimSpace([]byte(inner))
	}
	return raw
}

// first returns the first byte of a JSON value, 0 if it is empty.
func first(raw []byte) byte {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return 0
	}
	return raw[0]
}
