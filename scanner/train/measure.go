package main

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"memory-graph/scanner"
)

// writers are the labelled files, by who wrote them: whoever writes attacks and ordinary texts has habits, and what is
// learnt from some of them is measured on another's.
var writers = [][]string{
	{"scanner/testdata/training/attacks-1.txt", "scanner/testdata/training/benign-1.txt"},
	{"scanner/testdata/training/attacks-2.txt", "scanner/testdata/training/benign-2.txt"},
	{"testdata/scanner/attacks-2.txt", "testdata/scanner/attacks-3.txt", "testdata/scanner/benign-2.txt"},
	{"testdata/scanner/attacks.txt", "testdata/scanner/benign-hard.txt"},
	{"scanner/testdata/training/benign-3.txt"},
}

// folds is how many parts there are: one that is never learnt from, and one for each writer.
const (
	folds   = 6
	heldOut = 0
)

// fold gives the part that a text belongs to: a writer's, or that of the file, page or conversation that it is from.
func (t *text) fold() int {
	for i, files := range writers {
		if slices.Contains(files, t.set) {
			return i + 1
		}
	}
	return int(t.group % folds)
}

// kinds are what ordinary texts are of; a rate is the mean of theirs.
var kinds = map[string]string{
	"locomo-dev": "chat", "messages-dev": "chat", "stories-dev": "chat", "extraction-dev": "chat", "extraction-notes": "chat", "negatives": "chat",
	"hotpot-100": "passages", "musique-100": "passages", "readme": "documentation", "doc": "documentation", "manual": "programs", "messages": "programs", "comment": "programs",
}

// judged is examples with what a model makes of them.
type judged struct {
	examples []*example
	logits   []float32
}

func judge(m *model, examples []*example) *judged {
	j := &judged{examples, make([]float32, len(examples))}
	for i, e := range examples {
		_, j.logits[i] = m.best(e)
	}
	return j
}

// cross judges each writer's texts, and a part of the ordinary ones, by a model that was learnt from the others.
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
		all.examples, all.logits = append(all.examples, p.examples...), append(all.logits, p.logits...)
	}
	return all
}

// quantile gives the logit that a share of the ordinary texts reaches, each kind of them counting alike.
func (j *judged) quantile(share float64) float32 {
	count := map[string]float64{}
	type weighted struct {
		logit  float32
		weight float64
	}
	var all []weighted
	for i, e := range j.examples {
		if kind := kinds[e.set]; kind != "" {
			count[kind]++
			all = append(all, weighted{j.logits[i], 0})
		}
	}
	n := 0
	for _, e := range j.examples {
		if kind := kinds[e.set]; kind != "" {
			all[n].weight = 1 / count[kind] / float64(len(count))
			n++
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

// The scores of the rules from which a text is held back by default.
const (
	rulesOther = 2
	rulesUser  = 3
)

// print writes what is held back of each set: by what was learnt, by the rules, and by both as the scanner joins them.
func (j *judged) print(title string, w *scanner.Weights) {
	fmt.Printf("\n%s (from %.2f, for the user %.2f; rules believed from %.2f)\n%-24s %6s  learnt   rules    both\n", title, w.Other, w.User, w.Low, "", "n")
	sets := map[string]*[4]int{}
	for i, e := range j.examples {
		name := kinds[e.set]
		if name == "" {
			name = strings.TrimSuffix(strings.NewReplacer("scanner/", "", "testdata/", "").Replace(e.set), ".txt")
		}
		c := sets[name]
		if c == nil {
			c = &[4]int{}
			sets[name] = c
		}
		limit, rules := w.Other, float64(rulesOther)
		if e.origin == "user" {
			limit, rules = w.User, rulesUser
		}
		c[0]++
		byRules := e.rules * w.Believed(j.logits[i])
		for k, held := range []bool{j.logits[i] >= limit, e.rules >= rules, j.logits[i] >= limit || byRules >= rules} {
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

// show prints the ordinary texts that look most like attacks.
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

// measureFiles prints what the program as it is holds back of labelled files, by who speaks.
func measureFiles(files []string) error {
	s := scanner.New(scanner.Options{})
	for _, file := range files {
		texts, err := labelled(file)
		if err != nil {
			return err
		}
		n, held := map[string]int{}, map[string]int{}
		for _, t := range texts {
			limit := float64(rulesOther)
			if t.origin == "user" {
				limit = rulesUser
			}
			for _, who := range []string{t.origin, "all of them"} {
				n[who]++
				if s.Scan(t.content).Score >= limit {
					held[who]++
				}
			}
		}
		fmt.Println(file)
		for _, who := range slices.Sorted(maps.Keys(n)) {
			fmt.Printf("  %-12s %d of %d (%.1f%%)\n", who, held[who], n[who], 100*float64(held[who])/float64(n[who]))
		}
	}
	return nil
}

// percentile gives the size that a share of the weights that are not zero stays below.
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
