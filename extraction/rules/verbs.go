package rules

import (
	"fmt"
	"strings"
)

// form is a set of verb inflections.
type form uint8

const (
	formBase form = 1 << iota
	formS
	formPast
	formDone // past participle
	formIng
)

// inflected is the lemma of a verb form and what the form can be.
type inflected struct {
	lemma string
	forms form
}

// verbForms maps a verb form to its verb. nounish are verbs whose base form is as often a noun: after a noun they are
// part of its phrase. Both are empty until ready has run.
var verbForms, nounish = map[string]inflected{}, map[string]bool{}

// readVerbs reads data/verbs.txt. A line is "lemma" or "lemma past participle", with "n" after it for a verb that is
// also a noun. If two verbs share a form, the first one has it.
func readVerbs() error {
	add := func(word, lemma string, f form) {
		if have, ok := verbForms[word]; ok && have.lemma != lemma {
			return
		}
		verbForms[word] = inflected{lemma, verbForms[word].forms | f}
	}
	err := eachLine("verbs.txt", "", func(line string) error {
		f := strings.Fields(line)
		lemma := f[0]
		if f[len(f)-1] == "n" && len(f) > 1 {
			nounish[lemma] = true
			f = f[:len(f)-1]
		}
		past, done := regularPast(lemma), regularPast(lemma)
		switch len(f) {
		case 1:
		case 3:
			past, done = f[1], f[2]
		default:
			return fmt.Errorf("%q is neither a verb nor a verb with its past and participle", line)
		}
		add(lemma, lemma, formBase)
		add(thirdPerson(lemma), lemma, formS)
		add(past, lemma, formPast)
		add(done, lemma, formDone)
		add(gerund(lemma, past), lemma, formIng)
		return nil
	})
	verbForms["founded"] = inflected{"found", formPast | formDone}
	verbForms["found"] = inflected{"find", formPast | formDone}
	return err
}

func thirdPerson(v string) string {
	switch {
	case v == "have":
		return "has"
	case strings.HasSuffix(v, "s"), strings.HasSuffix(v, "x"), strings.HasSuffix(v, "ch"), strings.HasSuffix(v, "sh"),
		v == "go":
		return v + "es"
	case strings.HasSuffix(v, "y") && !strings.ContainsRune("aeiou", rune(v[len(v)-2])):
		return v[:len(v)-1] + "ies"
	}
	return v + "s"
}

func regularPast(v string) string {
	switch {
	case strings.HasSuffix(v, "e"):
		return v + "d"
	case strings.HasSuffix(v, "y") && !strings.ContainsRune("aeiou", rune(v[len(v)-2])):
		return v[:len(v)-1] + "ied"
	}
	return v + "ed"
}

// gerund returns the form in -ing. It doubles the last letter if the past does.
func gerund(v, past string) string {
	switch {
	case v == "see", v == "agree":
		return v + "ing"
	case v == "die":
		return "dying"
	case strings.HasSuffix(v, "e"):
		return v[:len(v)-1] + "ing"
	case strings.HasPrefix(past, v+v[len(v)-1:]), doubling[v]:
		return v + v[len(v)-1:] + "ing"
	}
	return v + "ing"
}

var doubling = set(`run get put set cut sit let hit quit forget begin`)
