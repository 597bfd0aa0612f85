// Command train learns the weights of the scanner from attacks and ordinary texts. It measures them on writers that
// were excluded from training. Run it from the root of the repository:
//
//	go run ./internal/safety/scanner/train                       # learn, measure, and write scanner/data/weights.bin
//	go run ./internal/safety/scanner/train -measure FILE...      # what the current scanner holds back of labelled texts
//
// The labelled texts are in scanner/testdata/training and testdata/scanner. Ordinary texts are the development data,
// and documentation, manuals, program messages and code comments of this machine. Missing sources are skipped, which
// changes the weights. The same texts give the same weights.
package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"memory-graph/internal/safety/scanner"
)

// usual are the training options. The results are not sensitive to any of them: docs/security.md lists them by writer.
var usual = options{rounds: 4, epochs: 4, rate: .1, l2: 1e-4, attack: 8, hard: 15, talk: 4, minTexts: 6,
	minOrdinary: 12, seed: 1}

// The thresholds are set so that these shares of unseen ordinary text are held back by mistake, averaged over the
// kinds.
const (
	rateOther = .001
	rateUser  = .0003
	rateLow   = .03
)

// leastStep is the minimal distance between the logits Other and User. Scores between them are interpolated linearly.
const leastStep = .5

func main() {
	log.SetFlags(0)
	data := flag.String("data", "../shared/data", "folder of the development data")
	out := flag.String("out", "internal/safety/scanner/data/weights.bin", "file to write")
	measure := flag.Bool("measure", false, "only measure the named files")
	show := flag.Int("show", 0, "number of ordinary texts to print, those that look most like attacks")
	flag.Parse()
	if err := run(*data, *out, *measure, *show, flag.Args()); err != nil {
		log.Fatal(err)
	}
}

func run(data, out string, only bool, show int, files []string) error {
	if only {
		return measureFiles(files, show)
	}
	var all []text
	for _, w := range writers {
		for _, file := range w {
			l, err := labelled(file)
			if err != nil {
				return err
			}
			all = append(all, l...)
		}
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return err
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("go env GOROOT: %w", err)
	}
	all = append(all, ordinary(data, filepath.Join(home, "go/pkg/mod"), "/usr/share/doc", "/usr/share/man",
		"/usr/share/locale", filepath.Join(strings.TrimSpace(string(goroot)), "src"))...)
	sum := sha256.New()
	for i := range all {
		_, _ = fmt.Fprintf(sum, "%s\x00%s\x00", all[i].set, all[i].content)
	}
	fmt.Printf("%d texts, SHA-256 %x\n", len(all), sum.Sum(nil))
	examples := read(all)
	unseen := cross(examples)
	w := &scanner.Weights{Other: unseen.quantile(unseen.logits, rateOther), Low: unseen.quantile(unseen.logits, rateLow)}
	w.User = max(unseen.quantile(unseen.aimed, rateUser), w.Other+leastStep)
	unseen.print("writers and sources that the model was not trained on", w)

	var train, rest []*example
	for i := range examples {
		if e := &examples[i]; e.fold() == heldOut {
			rest = append(rest, e)
		} else {
			train = append(train, e)
		}
	}
	m := fit(train, usual)
	quantise(m, w)
	judge(m, train).print("training texts", w)
	held := judge(m, rest)
	held.print("ordinary texts kept out of training", w)
	held.show(show)
	return os.WriteFile(out, w.Encode(), 0o644)
}

// read extracts the features of all texts in parallel.
func read(all []text) []example {
	examples := make([]example, len(all))
	s := scanner.New(scanner.Options{RulesAlone: true})
	var wg sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(all); i += workers {
				examples[i] = see(s, &all[i])
			}
		})
	}
	wg.Wait()
	return examples
}

// quantise rounds the weights to one byte each and writes them back to the model, because the shipped weights must be
// the ones measured. Weights beyond the 99.95th percentile are clipped.
func quantise(m *model, w *scanner.Weights) {
	most := percentile(m.weights, .9995)
	w.Bias, w.Scale = m.bias, most/127
	for i, x := range m.weights {
		q := math.Round(float64(max(-most, min(most, x)) / w.Scale))
		w.Table[i] = int8(q)
		m.weights[i] = w.Scale * float32(q)
	}
}
