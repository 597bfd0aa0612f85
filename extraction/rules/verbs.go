package rules

import "strings"

// form is how a verb is inflected.
type form uint8

const (
	formBase form = 1 << iota
	formS
	formPast
	formDone // the participle of "has done" and "is done"
	formIng
)

// inflected is a verb as it stands in a text.
type inflected struct {
	lemma string
	forms form
}

// irregular verbs: lemma, past, participle; the rest is regular.
var irregular = map[string][2]string{
	"write": {"wrote", "written"}, "build": {"built", "built"}, "make": {"made", "made"}, "choose": {"chose", "chosen"},
	"leave": {"left", "left"}, "quit": {"quit", "quit"}, "go": {"went", "gone"}, "run": {"ran", "run"}, "know": {"knew", "known"},
	"get": {"got", "got"}, "have": {"had", "had"}, "find": {"found", "found"}, "lead": {"led", "led"}, "give": {"gave", "given"},
	"take": {"took", "taken"}, "become": {"became", "become"}, "begin": {"began", "begun"}, "see": {"saw", "seen"}, "say": {"said", "said"},
	"tell": {"told", "told"}, "think": {"thought", "thought"}, "hear": {"heard", "heard"}, "keep": {"kept", "kept"}, "put": {"put", "put"},
	"break": {"broke", "broken"}, "bring": {"brought", "brought"}, "throw": {"threw", "thrown"}, "sell": {"sold", "sold"}, "buy": {"bought", "bought"},
	"speak": {"spoke", "spoken"}, "sit": {"sat", "sat"}, "stand": {"stood", "stood"}, "hold": {"held", "held"}, "let": {"let", "let"},
	"come": {"came", "come"}, "meet": {"met", "met"}, "set": {"set", "set"}, "wear": {"wore", "worn"}, "eat": {"ate", "eaten"}, "drive": {"drove", "driven"},
	"stick": {"stuck", "stuck"}, "end": {"ended", "ended"}, "feel": {"felt", "felt"}, "teach": {"taught", "taught"}, "forget": {"forgot", "forgotten"},
	"rebuild": {"rebuilt", "rebuilt"}, "rewrite": {"rewrote", "rewritten"}, "overtake": {"overtook", "overtaken"}, "lose": {"lost", "lost"}, "pay": {"paid", "paid"},
	"cut": {"cut", "cut"}, "hit": {"hit", "hit"}, "fall": {"fell", "fallen"}, "send": {"sent", "sent"}, "show": {"showed", "shown"}, "draw": {"drew", "drawn"},
	"swap": {"swapped", "swapped"}, "drop": {"dropped", "dropped"}, "plan": {"planned", "planned"}, "stop": {"stopped", "stopped"}, "prefer": {"preferred", "preferred"},
	"swear": {"swore", "sworn"}, "rip": {"ripped", "ripped"}, "lay": {"laid", "laid"}, "win": {"won", "won"}, "beat": {"beat", "beaten"}, "spend": {"spent", "spent"},
	"commit": {"committed", "committed"}, "cancel": {"cancelled", "cancelled"}, "scrap": {"scrapped", "scrapped"}, "shed": {"shed", "shed"}, "chop": {"chopped", "chopped"}, "ship": {"shipped", "shipped"}, "map": {"mapped", "mapped"}, "opt": {"opted", "opted"}, "program": {"programmed", "programmed"},
	"sign": {"signed", "signed"}, "refer": {"referred", "referred"}, "dump": {"dumped", "dumped"}, "bug": {"bugged", "bugged"}, "ban": {"banned", "banned"}, "dogfood": {"dogfooded", "dogfooded"},
}

// knownVerbs are the verbs whose forms are told from nouns: those of the templates, and others that end the phrase before
// them.
const knownVerbs = `use utilize adopt depend rely require need run talk integrate connect write code program script develop build make create author design
found start invent implement maintain own lead manage head prefer favor favour like love hate dislike detest loathe despise enjoy stand abhor decide choose pick
select settle opt go agree switch move migrate change transition convert port replace swap trade ditch drop abandon retire remove dump stop quit cease begin keep
continue work join leave live reside relocate base locate assign call name know cause fail crash break supersede assign hand take host deploy power back employ
hire be become belong contribute study learn say tell think believe claim hear want plan consider hope wish try wonder ask mean see read support bring
give find get have put hold happen occur adore delegate appear seem look feel remember forget help show explain set let store save return take contain include handle serve provide
generate deliver send receive rewrite rebuild ship release launch test fix merge review introduce upgrade update bump install configure restart die finish end begin stay remain
come sit speak meet visit grow teach marry share pay buy sell cost open close play watch eat drink wear drive walk fly travel train cook cry sleep smoke
rent settle stick land resign retire oversee supervise coordinate author compile derive rank govern bundle wrap expose trigger cache log query process parse
render display print track monitor measure report respond communicate interact sync rotate invoke consume produce publish subscribe extend inherit target
break throw return lack miss face hit cut fall swear lean look care drive hack tinker focus approve commit vote standardize standardise land consist comprise compose embed import pull push log persist rip kill
phase sunset decommission uninstall cancel deprecate kick fire lay freelance consult intern teach reassign transfer pass beat win annoy avoid freelance moonlight earn
spend edit plan chat draw sketch cover schedule steward spearhead champion refactor debug prototype incorporate bootstrap migrate export power stem result trace bring
succeed sub outsource deliver shape invite employ enjoy study serve persist stream pipe forward route register discard ax axe oust scrap shelve nuke purge yank
sign mention note confirm admit insist suggest recommend propose refer resolve translate rename turn co-maintain co-lead co-own emigrate bake`

// verbForms gives by form what verb it is of.
var verbForms = func() map[string]inflected {
	m := make(map[string]inflected, 3_000)
	add := func(word, lemma string, f form) {
		if have, ok := m[word]; ok && have.lemma != lemma {
			return // "left" is of leave, "found" of find: the verb that is told first stays
		}
		m[word] = inflected{lemma, m[word].forms | f}
	}
	for lemma := range strings.FieldsSeq(knownVerbs) {
		if lemma == "be" {
			continue // an auxiliary
		}
		add(lemma, lemma, formBase)
		add(thirdPerson(lemma), lemma, formS)
		past, done := regularPast(lemma), regularPast(lemma)
		if p, ok := irregular[lemma]; ok {
			past, done = p[0], p[1]
		}
		add(past, lemma, formPast)
		add(done, lemma, formDone)
		add(gerund(lemma, past), lemma, formIng)
	}
	m["founded"] = inflected{"found", formPast | formDone}
	m["found"] = inflected{"find", formPast | formDone}
	m["has"] = inflected{"have", formS}
	return m
}()

func thirdPerson(v string) string {
	switch {
	case strings.HasSuffix(v, "s"), strings.HasSuffix(v, "x"), strings.HasSuffix(v, "ch"), strings.HasSuffix(v, "sh"), v == "go":
		return v + "es"
	case strings.HasSuffix(v, "y") && !vowel(v[len(v)-2]):
		return v[:len(v)-1] + "ies"
	}
	return v + "s"
}

func regularPast(v string) string {
	switch {
	case strings.HasSuffix(v, "e"):
		return v + "d"
	case strings.HasSuffix(v, "y") && !vowel(v[len(v)-2]):
		return v[:len(v)-1] + "ied"
	}
	return v + "ed"
}

// gerund gives the form in -ing; where the past doubles the last letter, it does too.
func gerund(v, past string) string {
	switch {
	case v == "be", v == "see", v == "agree":
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

func vowel(c byte) bool { return strings.IndexByte("aeiou", c) >= 0 }

// nounish are verbs whose base form is a noun as often: behind a noun they are part of its phrase.
var nounish = set(`commit intern dislike focus vote kick export import land pass schedule debug log stream pipe route care lean spend edit draw sketch champion sub study build run test call start change work design release fix update upgrade code program script host power back head base name cause crash
break stop end store return cache log query process report track monitor target need hope plan port drop trade share cost look play walk drive drink show stand stay
train land rent sign lead rewrite rebuild redesign export import feature note read support help launch review love merge cut visit cry sleep smoke stick rank wrap render display print`)

// set gives the words of a list.
func set(words string) map[string]bool {
	m := make(map[string]bool, strings.Count(words, " ")+1)
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}
