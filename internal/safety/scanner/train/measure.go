package main

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"memory-graph/internal/safety/scanner"
)

// writers are the labelled files by author. Every author has habits, so each one's texts are measured with a model that
// was trained on the others'.
var writers = [][]string{
	{"internal/safety/scanner/testdata/training/attacks-1.txt", "internal/safety/scanner/testdata/training/benign-1.txt"},
	{"internal/safety/scanner/testdata/training/attacks-2.txt", "internal/safety/scanner/testdata/training/benign-2.txt"},
	{"testdata/scanner/attacks-2.txt", "testdata/scanner/attacks-3.txt", "testdata/scanner/benign-2.txt"},
	{"testdata/scanner/attacks.txt", "testdata/scanner/benign-hard.txt"},
	{"internal/safety/scanner/testdata/training/benign-3.txt"},
}

// folds is the number of parts: heldOut, which is never trained on, and one for each writer.
const (
	folds   = 6
	heldOut = 0
)

// fold returns the part of a text: that of its writer, or of its file, page or conversation. Half of the LoCoMo
// conversations and all stories of the development data are never trained on.
func (t *text) fold() int {
	for i, files := range writers {
		if slices.Contains(files, t.set) {
			return i + 1
		}
	}
	switch {
	case t.set == "stories-dev" || t.set == "locomo-dev" && t.group%2 == 0:
		return heldOut
	case t.set == "locomo-dev":
		return 1 + int(t.group/2%(folds-1))
	}
	return int(t.group % folds)
}

// kinds maps the sets of ordinary text to kinds; rates are averaged over the kinds. The set "own" has no kind: it holds
// orders of users to their own agent to remember something, and from anybody else these are attacks.
var kinds = map[string]string{
	"locomo-dev": "conversations", "messages-dev": "messages", "stories-dev": "stories", "talk": "talk",
	"scenes": "scenes", "statements": "statements",
	"extraction-dev": "statements", "extraction-notes": "statements", "negatives": "statements",
	"hotpot-100": "passages", "musique-100": "passages", "readme": "documentation", "doc": "documentation",
	"manual": "programs", "messages": "programs", "comment": "programs",
}

// judged is examples with the logits of a model.
type judged struct {
	examples []*example
	logits   []float32 // of the window that looks most like an attack
	aimed    []float32 // the same among the windows that point at an agent or its memory
}

func judge(m *model, examples []*example) *judged {
	j := &judged{examples, make([]float32, len(examples)), make([]float32, len(examples))}
	for i, e := range examples {
		_, j.logits[i] = m.best(e)
		j.aimed[i] = float32(math.Inf(-1))
		for k := range e.windows {
			if w := &e.windows[k]; w.points {
				j.aimed[i] = max(j.aimed[i], m.logit(w))
			}
		}
	}
	return j
}

// cross judges each part with a model that was trained on the others.
func cross(examples []example) *judged {
	parts := make([]*judged, folds)
	var wg sync.WaitGroup
	for fold := 1; fold < folds; fold++ {
		wg.Go(func() {
			var train, test []*example
			for i := range examples {
				switch e := &examples[i]; e.fold() {
				case fold:
					test = append(test, e)
				case heldOut:
				default:
					train = append(train, e)
				}
			}
			parts[fold] = judge(fit(train, usual), test)
		})
	}
	wg.Wait()
	all := &judged{}
	for _, p := range parts[1:] {
		all.examples, all.logits, all.aimed = append(all.examples, p.examples...), append(all.logits,
			p.logits...), append(all.aimed, p.aimed...)
	}
	return all
}

// quantile returns the logit that the given share of the ordinary texts reaches. Texts shorter than scanner.ShortText
// never reach it. Each kind has the same weight.
func (j *judged) quantile(logits []float32, share float64) float32 {
	type weighted struct {
		logit  float32
		weight float64
	}
	count := map[string]float64{}
	for _, e := range j.examples {
		count[kinds[e.set]]++
	}
	delete(count, "")
	var all []weighted
	for i, e := range j.examples {
		if kind := kinds[e.set]; kind != "" && e.size >= scanner.ShortText {
			all = append(all, weighted{logits[i], 1 / count[kind] / float64(len(count))})
		}
	}
	slices.SortFunc(all, func(a, b weighted) int { return cmp.Compare(b.logit, a.logit) })
	sum := 0.0
	for _, x := range all {
		if sum += x.weight; sum > share {
			return x.logit
		}
	}
	return float32(math.Inf(1))
}

// The default scores of the rules from which a text is held back.
const (
	rulesOther = 2
	rulesUser  = 3
)

// print writes the share of each set that the model, the rules, and both together hold back.
func (j *judged) print(title string, w *scanner.Weights) {
	fmt.Printf("\n%s (logits: other %.2f, user %.2f, low %.2f)\n%-24s %6s  learnt   rules    both\n", title, w.Other,
		w.User, w.Low, "", "n")
	sets := map[string]*[4]int{}
	for i, e := range j.examples {
		name := kinds[e.set]
		if name == "" {
			name = strings.TrimSuffix(strings.NewReplacer("internal/safety/scanner/", "", "testdata/", "").Replace(e.set),
				".txt")
		}
		c := sets[name]
		if c == nil {
			c = &[4]int{}
			sets[name] = c
		}
		learnt, limit, rules := j.logits[i], w.Other, float64(rulesOther)
		if e.origin == "user" || e.set == "own" {
			learnt, limit, rules = j.aimed[i], w.User, rulesUser
		}
		if e.size < scanner.ShortText {
			learnt = float32(math.Inf(-1))
		}
		c[0]++
		byRules := e.rules * w.Believed(j.logits[i])
		for k, held := range []bool{learnt >= limit, e.rules >= rules, learnt >= limit || byRules >= rules} {
			if held {
				c[k+1]++
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(sets)) {
		c := sets[name]
		fmt.Printf("%-24s %6d", name, c[0])
		for _, held := range c[1:] {
			fmt.Printf("  %5.2f%%", 100*float64(held)/float64(c[0]))
		}
		fmt.Println()
	}
}

// show prints the n ordinary texts that look most like attacks.
func (j *judged) show(n int) {
	order := make([]int, len(j.logits))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(j.logits[b], j.logits[a]) })
	for _, i := range order[:min(n, len(order))] {
		fmt.Printf("%6.2f %s %.300q\n", j.logits[i], j.examples[i].set, j.examples[i].content)
	}
}

// measureFiles prints how many texts of labelled files the current scanner holds back: per speaker, at each speaker's
// threshold, and at either threshold for all. It also prints up to show ordinary texts that are held back.
func measureFiles(files []string, show int) error {
	s := scanner.New(scanner.Options{})
	for _, file := range files {
		texts, err := labelled(file)
		if err != nil {
			return err
		}
		n, held := map[string]int{}, map[string]int{}
		count := func(who string, v scanner.Verdict, limit float64) {
			n[who]++
			if v.Score >= limit {
				held[who]++
			}
		}
		for _, t := range texts {
			v := s.Scan(t.content)
			count(t.origin, v, limit(t.origin))
			count("by who speaks", v, limit(t.origin))
			count("from 2", v, rulesOther)
			count("from 3", v, rulesUser)
			if !t.attack && v.Score >= rulesOther && show > 0 {
				show--
				fmt.Printf("%.2f %s %q %.200q\n", v.Score, t.origin, v.Reasons, t.content)
			}
		}
		fmt.Println(file)
		for _, who := range slices.Sorted(maps.Keys(n)) {
			fmt.Printf("  %-14s %5d of %5d (%.2f%%)\n", who, held[who], n[who], 100*float64(held[who])/float64(n[who]))
		}
	}
	return nil
}

// limit returns the score from which a speaker's text is held back.
func limit(origin string) float64 {
	if origin == "user" {
		return rulesUser
	}
	return rulesOther
}

// percentile returns the absolute value below which the given share of the nonzero weights lies.
func percentile(weights []float32, share float64) float32 {
	var sizes []float32
	for _, x := range weights {
		if x != 0 {
			sizes = append(sizes, max(x, -x))
		}
	}
	slices.Sort(sizes)
	return sizes[int(float64(len(sizes)-1)*share)]
}
