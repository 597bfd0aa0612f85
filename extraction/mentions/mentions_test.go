package mentions_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"memory-graph/extraction/mentions"
	"memory-graph/internal/memory"
)

// names returns the mentions as "name", followed by a bar and the type if there is one.
func names(ms []memory.Mention) []string {
	out := []string{}
	for _, m := range ms {
		s := m.Name
		if m.Type != "" {
			s += "|" + m.Type
		}
		out = append(out, s)
	}
	return out
}

func TestFind_TakesWhatIsWrittenLikeAName(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want []string
	}{
		{"She met Ada Lovelace and Charles Babbage in London.", []string{"Ada Lovelace", "Charles Babbage", "London"}},
		{"He studied at the University of Copenhagen.", []string{"University of Copenhagen|organization"}},
		{"She joined Cask & Co. in May; Miller & Sons did the roof.", []string{"Cask & Co.|organization",
			"Miller & Sons|organization"}},
		{"a painting by Vincent van Gogh", []string{"Vincent van Gogh"}},
		{"the books of J. R. R. Tolkien and J.K. Rowling", []string{"J. R. R. Tolkien", "J.K. Rowling"}},
		{"the painter's friend, Ana's brother", []string{"Ana"}},
		{"it was Jean-Luc's idea, not O'Brien’s", []string{"Jean-Luc", "O'Brien"}},
		{"he works for Hydro One now", []string{"Hydro One"}},
		{"yesterday Will Park joined", []string{"Will Park|location"}},
		{"we saw Dr. Chen and Prof. Maria Silva", []string{"Dr. Chen|person", "Maria Silva|person"}},
		{"a NASA probe, built with IBM", []string{"NASA", "IBM"}},
		{"we store it in PostgreSQL behind GitHub", []string{"PostgreSQL|technology", "GitHub|tool"}},
		{"my iPhone 15 broke", []string{"iPhone 15"}},
		{"the Kyiv-based team; Redis-backed queues", []string{"Kyiv", "Redis|technology"}},
		{"a law firm in Washington, D.C. since then", []string{"Washington", "D.C."}},
		{"they played AT&T and R&B", []string{"AT&T", "R&B"}},
		{"вчера Анна Каренина уехала в Москву", []string{"Анна Каренина", "Москву"}},
		{"ο Νίκος ζει στην Αθήνα", []string{"Νίκος", "Αθήνα"}},
		{"昨日、東京で田中さんに会った。", []string{}},
		{"no names here, at all", []string{}},
		{"", []string{}},
	} {
		if diff := cmp.Diff(c.want, names(mentions.Finder{}.Find(c.text, nil))); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, diff)
		}
	}
}

func TestFind_TakesTheFirstWordOfASentenceForANameOnlyWithReason(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want []string
	}{
		{"Thanks! Hey, The weather is great. Running is fun. I'm off.", []string{}},
		{"Thanks, Melanie! Wow, Caroline.", []string{"Melanie", "Caroline"}},
		{"Hey Caroline, good morning", []string{"Caroline"}},
		{"The Beatles came. In London they stayed.", []string{"Beatles", "London"}},
		{"Don't go on Monday, nor in July.", []string{}},
		{"Yesterday Caroline ran. Visiting Berlin helped.", []string{"Caroline", "Berlin"}},
		{"Kittens are sweet; I like kittens.", []string{}},
		{"- First\n- Second\n* Buy milk", []string{}},
	} {
		if diff := cmp.Diff(c.want, names(mentions.Finder{}.Find(c.text, nil))); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, diff)
		}
	}
	ms := mentions.Finder{}.Find("Zoltan works here. I asked Miklos.", nil)
	if len(ms) != 2 || !ms[0].Unsure || ms[1].Unsure {
		t.Errorf("the head of a sentence must be unsure, and nothing else: %+v", ms)
	}
}

func TestFind_TellsShapes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want []string
	}{
		{"edit cmd/server/main.go:32 and README.md", []string{"cmd/server/main.go|file", "README.md|file"}},
		{"see ./scripts/run, ~/.bashrc, src/auth or /etc/hosts.",
			[]string{"./scripts/run|file", "~/.bashrc|file", "src/auth|file", "/etc/hosts|file"}},
		{"in config.yaml, go.mod", []string{"config.yaml|config", "go.mod|config"}},
		{"set DATABASE_URL and store_episode", []string{"DATABASE_URL|config", "store_episode"}},
		{"OPS-77 blocks JIRA2-1042.", []string{"OPS-77", "JIRA2-1042"}},
		{"ask @maria.s about it", []string{"maria.s|person"}},
		{"npm i @types/node, go get github.com/google/go-cmp",
			[]string{"npm|tool", "@types/node|technology", "github.com/google/go-cmp|technology"}},
		{"call `Open()` in `store.Store`, not `go test ./...`", []string{"Open", "store.Store"}},
		{"https://www.example.org/Some/Path?Q=Name and http://user:pw@db.local:80/", []string{"example.org", "db.local"}},
		{"- uses [[Redis]] and [[Acme Corp|Acme]]", []string{"Redis|technology", "Acme Corp|organization"}},
		{"and/or, 24/7, he/she, w/o, 1.5, v2", []string{}},
		{"the api-gateway calls billing-worker; self-care is long-term", []string{"api-gateway", "billing-worker"}},
		{"Set LOG_LEVEL before you close Issue ATL-214", []string{"LOG_LEVEL|config", "ATL-214"}},
		{"we use pnpm and nginx with Python 3 and rest", []string{"pnpm|tool", "nginx|technology", "Python|language"}},
		{"built on Node.js and Vue.js", []string{"Node.js|technology", "Vue.js|technology"}},
		{"```go\nfunc Main() { Foo(Bar) }\n```\nthen Ada spoke", []string{"Ada"}},
		{"write to a.b@example.com", []string{"a.b@example.com|person"}},
	} {
		if diff := cmp.Diff(c.want, names(mentions.Finder{}.Find(c.text, nil))); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, diff)
		}
	}
}

func TestFind_TakesATitleWithoutItsParentheses(t *testing.T) {
	t.Parallel()
	const body = " is something about which there is more to say than in a title, and so on."
	for _, c := range []struct{ text, want string }{
		{"Mercury (planet)\nMercury" + body, "Mercury"},
		{"Person-centered therapy\nIt" + body, "Person-centered therapy"},
		{"The Hague\nIt" + body, "Hague"},
		{"# Decisions\nIt" + body, "Decisions"},
		{"Sammy Davis Jr.\nHe" + body, "Sammy Davis Jr."},
		{"Thanks for the help\nIt" + body, ""},
		{"I went to the market today.\nIt" + body, ""},
		{"Hey!\nIt" + body, ""},
		{"Remember this:\nIt" + body, ""},
		{"Mercury", ""},
		{"Mercury\nis hot", ""},
	} {
		got := ""
		for _, m := range (mentions.Finder{}).Find(c.text, nil) {
			if m.Role == mentions.RoleTitle {
				got = m.Name
			}
		}
		if got != c.want {
			t.Errorf("%q has the title %q, want %q", c.text, got, c.want)
		}
	}
}

// A name that goes on over a dot or ends with a plus is another name than the one that it begins with, known or not.
func TestFind_ReadsANameToItsEnd(t *testing.T) {
	t.Parallel()
	known := mentions.NewDictionary()
	known.Add("Postgres", "Disney", "Redis", "Foo", "Foo Bar")
	for _, c := range []struct {
		text string
		want []string
	}{
		{"we use Postgres.app", []string{"Postgres.app"}},
		{"we use Postgres.app's backups, and Postgres", []string{"Postgres.app", "Postgres"}},
		{"we watch Disney+.", []string{"Disney+"}},
		{"we watch Apple TV+, and Disney", []string{"Apple TV+", "Disney"}},
		{"it needs Socket.IO and Cal.com", []string{"Socket.IO", "Cal.com"}},
		{"we use Foo Bar.app", []string{"Foo Bar.app"}},
		{"we use postgres.app and redis.internal", []string{}},
		// here a sentence begins, or the plus belongs to no name
		{"we use Postgres.it works", []string{"Postgres"}},
		{"we use Postgres.We like it", []string{"Postgres"}},
		{"we use Redis. it works", []string{"Redis"}},
		{"we use Redis+Postgres", []string{"Redis", "Postgres"}},
		{"we use Redis + Disney", []string{"Redis", "Disney"}},
		{"Done.thanks", []string{}},
		{"it got an A+", []string{}},
	} {
		got := []string{}
		for _, m := range (mentions.Finder{}).Find(c.text, known) {
			got = append(got, m.Name)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, diff)
		}
	}
}

func TestFind_KnowsNamesInAnyCase(t *testing.T) {
	t.Parallel()
	d := mentions.NewDictionary()
	d.Add("inventory service", "Redis", "Redis Cluster", "C++", "api-gateway", "Go", "東京", "Анна", "R", "the",
		"  ACME\u200b Corp ")
	for _, c := range []struct {
		text string
		want []string
	}{
		{"the Inventory  Service uses redis", []string{"Inventory  Service", "redis"}},
		{"redis cluster, REDIS clusters", []string{"redis cluster", "REDIS"}},
		{"our API-Gateway is C++.", []string{"API-Gateway", "C++"}},
		{"we go to work, and write Go.", []string{"Go"}},
		{"昨日、東京で会った", []string{"東京"}},
		{"анна пришла", []string{"анна"}},
		{"r is a letter, R a language", []string{"R"}},
		{"redistribution", []string{}},
		{"acme\ncorp", []string{"acme\ncorp"}},
		{"acme\n\ncorp", []string{}},
	} {
		got := []string{}
		for _, m := range (mentions.Finder{}).Find(c.text, d) {
			if m.Known {
				got = append(got, m.Name)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, diff)
		}
	}
}

func TestFind_PrefersTheLongestAndTheKnown(t *testing.T) {
	t.Parallel()
	d := mentions.NewDictionary()
	d.Add("York", "Berlin")
	got := names(mentions.Finder{}.Find("I like New York Times. Visited Berlin twice.", d))
	if diff := cmp.Diff([]string{"New York Times", "Berlin"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestFind_LeavesSingleNounsOfGermanAlone(t *testing.T) {
	t.Parallel()
	got := names(mentions.Finder{}.Find(
		"Ich habe das Haus und den Garten von Angela Merkel gesehen, und der Hund war auch da.", nil))
	if diff := cmp.Diff([]string{"Angela Merkel"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestFind_DoesNotTakeShoutingForNames(t *testing.T) {
	t.Parallel()
	if got := names(mentions.Finder{}.Find("PLEASE STOP DOING THAT RIGHT AWAY, EVERYONE INSIDE", nil)); len(got) > 0 {
		t.Errorf("found %q", got)
	}
}

func TestFind_KeepsTheBetterKindsOfTooMany(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 300 {
		b.WriteString("then we met Xa" + strings.Repeat("b", i%20+1) + strings.Repeat("c", i/20+1) + ", ")
	}
	b.WriteString("and fixed OPS-77")
	ms := mentions.Finder{}.Find(b.String(), nil)
	if len(ms) != mentions.MaxMentions {
		t.Fatalf("%d mentions, want %d", len(ms), mentions.MaxMentions)
	}
	if last := ms[len(ms)-1].Name; last != "OPS-77" {
		t.Errorf("the last is %q: a ticket must not give way to names", last)
	}
	if n := len(mentions.Finder{}.FindAll(b.String(), nil)); n != 301 {
		t.Errorf("FindAll gives %d, want all 301", n)
	}
}

func TestFind_GivesANameOnceWhereItStandsFirst(t *testing.T) {
	t.Parallel()
	ms := mentions.Finder{}.Find("I know Ada, and ADA knows Ada.", nil)
	if len(ms) != 1 || ms[0].Start != 7 || ms[0].Name != "Ada" {
		t.Errorf("%+v", ms)
	}
}

func TestDictionary_IsSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	d := mentions.NewDictionary()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 2000 {
			d.Add("name " + strings.Repeat("x", i%50+1))
		}
	}()
	for range 200 {
		mentions.Finder{}.Find("a name xxx stands here", d)
	}
	<-done
	if d.Len() != 50 {
		t.Errorf("%d names, want 50", d.Len())
	}
}

func FuzzFind(f *testing.F) {
	for _, s := range []string{"Title\nAda's `x_y` [[Foo|bar]] https://a.b/c @x/y OPS-1 main.go", "İstanbul Ǆ ﬁ",
		"J.R.R. Dr. ", "```\nA\n```", "a\xff\xfeB C", "Kim Jong-il",
		"“Ada” said—‘Bob’", "\u200bAda\u200b Lovelace", "'''Ada'''s", "@", "``", "[[", "://", "A-B-c-D&E", "東京Tower",
		"…\n\n…"} {
		f.Add(s, "ada lovelace")
	}
	f.Fuzz(func(t *testing.T, text, known string) {
		d := mentions.NewDictionary()
		d.Add(known, "東京", "x_y")
		all := mentions.Finder{}.FindAll(text, d)
		end := 0
		for _, m := range all {
			if m.Start < end || m.Stop <= m.Start || m.Stop > len(text) {
				t.Fatalf("mention %+v of %q overlaps the one before or lies outside", m, text)
			}
			if text[m.Start:m.Stop] != m.Name {
				t.Fatalf("mention %+v of %q: %q stands there", m, text, text[m.Start:m.Stop])
			}
			if utf8.ValidString(text) && !utf8.ValidString(m.Name) {
				t.Fatalf("mention %+v cuts a rune of %q", m, text)
			}
			end = m.Stop
		}
		some := mentions.Finder{}.Find(text, d)
		if len(some) > mentions.MaxMentions {
			t.Fatalf("%d mentions", len(some))
		}
		seen := map[string]bool{}
		for _, m := range some {
			if c := memory.Canonical(m.Name); c == "" || seen[c] {
				t.Fatalf("%q is nothing, or there twice, in %q", m.Name, text)
			} else {
				seen[c] = true
			}
			if !slices.ContainsFunc(all, func(a memory.Mention) bool { return a.Start == m.Start && a.Stop == m.Stop }) {
				t.Fatalf("%+v is in none of all in %q", m, text)
			}
		}
	})
}

func BenchmarkFind(b *testing.B) {
	text := "Journal of Small Business\nThe Journal of Small Business is published by Wiley-Blackwell on behalf of the " +
		"International Council. " +
		"Its editor is George T. Solomon (George Washington University); see cmd/main.go and OPS-77 for `Open()`. "
	d := mentions.NewDictionary()
	d.Add("wiley", "george washington", "small business")
	for _, n := range []int{500, 256 << 10} {
		s := strings.Repeat(text, n/len(text)+1)[:n]
		b.Run(map[int]string{500: "500B", 256 << 10: "256KiB"}[n], func(b *testing.B) {
			b.SetBytes(int64(n))
			for b.Loop() {
				mentions.Finder{}.Find(s, d)
			}
		})
	}
}
