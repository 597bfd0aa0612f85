package tools

import (
	"bytes"
	"encoding/json"
	"reflect"
)

// objects is a list of objects as a call gives it. A mistake in one of them is that one's alone: the others are used,
// and the answer says what is wrong with it.
type objects[T any] []object[T]

// object is one item: what it says, or why it cannot be used.
type object[T any] struct {
	Value T
	Err   error
}

// objectList is what decoding needs of objects[T], whatever T is.
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

// isObjects says whether a field's type is an objects[T].
func isObjects(t reflect.Type) bool { return reflect.PointerTo(t).Implements(objectListType) }

// itemType is the T of objects[T].
func itemType(t reflect.Type) reflect.Type {
	list, ok := reflect.New(t).Interface().(objectList)
	if !ok {
		return nil
	}
	return list.item()
}

// asObjects splits a list of objects. One object alone is a list of one; a list or an object inside a string, as some
// models write it, is taken for what it holds.
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

// unquoted gives the object or the list that a JSON string holds; everything else as it is.
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

// first is the first byte of a JSON value, 0 where there is none.
func first(raw []byte) byte {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return 0
	}
	return raw[0]
}
