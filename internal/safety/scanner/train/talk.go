package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// talks are the sets of messages to agents and by them; these may be short.
var talks = map[string]bool{
	"locomo-dev": true, "messages-dev": true, "stories-dev": true, "extraction-dev": true, "extraction-notes": true,
	"negatives": true,
	"talk":      true, "own": true, "scenes": true, "statements": true,
}

// talk adds the ordinary talk of this repository: turns of stories and messages, scenes with agents, and statements
// about people and things. A group is a story, four scenes or twenty lines.
func (c *collector) talk() {
	group := uint32(0)
	for _, set := range []string{"talk", "own"} {
		eachLine("internal/safety/scanner/testdata/training/"+set+".txt", func(line string) {
			if strings.HasPrefix(line, "#") {
				group = hash(line)
				return
			}
			if _, content, ok := strings.Cut(line, "\t"); ok {
				c.say(set, group, content)
			}
		})
	}
	group = 0
	eachLine("classifier/exemplars/*.txt", func(line string) {
		mark, content, _ := strings.Cut(line, " ")
		if slices.Contains([]string{">", "chat", "fix", "go", "new"}, mark) {
			c.say("scenes", group/4, content)
			return
		}
		group++ // an empty line ends a scene
	})
	for _, files := range []string{"extraction/rules/testdata/*.txt", "retrieval/testdata/*.txt"} {
		group = hash(files)
		n := 0
		eachLine(files, func(line string) {
			if n++; n%20 == 0 {
				group++
			}
			if strings.HasPrefix(line, "#") {
				return
			}
			content, _, _ := strings.Cut(line, "=>")
			for _, head := range []string{"@ ", "later | ", "earlier | ", "both | "} {
				content = strings.TrimPrefix(content, head)
			}
			c.say("statements", group, content)
		})
	}
}

// say adds a text in which \n is a line break.
func (c *collector) say(set string, group uint32, content string) {
	c.add(set, group, strings.ReplaceAll(content, `\n`, "\n"), 1<<20)
}

// eachLine calls f for each line of the files that match a pattern.
func eachLine(pattern string, f func(line string)) {
	files, _ := filepath.Glob(pattern)
	slices.Sort(files)
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(b)) {
			f(strings.TrimSuffix(line, "\n"))
		}
	}
}
