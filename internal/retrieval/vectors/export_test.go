package vectors

// Loaded reports whether vectors are ranked in memory, and how many.
func (l *Live) Loaded() (vectors int, ok bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.loaded.index == nil {
		return 0, false
	}
	return l.loaded.index.Len(), true
}
