package scanner

import (
	"regexp"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// row is a pattern as it is written down. triggers are those of pattern, then after each "&" a group of its beside, with "~" for a
// space. In re, "§" stands for what separates two words of a clause, and "§n" for at most n words between two others.
type row struct {
	family, name string
	weight       float64
	triggers     string
	re           string
	unless       string // what follows the match and halves its weight; "" for nothing
}

// builtin gives the patterns.
func builtin() []pattern {
	var out []pattern
	for _, rows := range [][]row{overrides, roles, lures, directives, plainOrders, bystanders, wide, languages} {
		for _, r := range rows {
			first, more, _ := strings.Cut(r.triggers, " & ")
			var beside [][]string
			for group := range strings.SplitSeq(more, " & ") {
				if list := triggers(group); len(list) > 0 {
					beside = append(beside, list)
				}
			}
			out = append(out, pattern{
				name: r.name, family: r.family, weight: r.weight,
				triggers: triggers(first), beside: beside,
				re: lazy(r.re), unless: lazy(r.unless),
			})
		}
	}
	return out
}

// lazy compiles an expression when it is first needed: most are never, and all of them would cost a start some
// milliseconds. A test compiles every one.
func lazy(re string) func() *regexp.Regexp {
	if re == "" {
		return nil
	}
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(macros.Replace(plain(re))) })
}

func triggers(list string) []string {
	out := strings.Fields(plain(list))
	for i := range out {
		out[i] = strings.ReplaceAll(out[i], "~", " ")
	}
	return out
}

const gap = `[^\w.!?;]+`

// macros writes the short forms of a row out, the longer ones first.
var macros = strings.NewReplacer(
	"§8", gap+`(?:\w+`+gap+`){0,8}?`, "§5", gap+`(?:\w+`+gap+`){0,5}?`, "§3", gap+`(?:\w+`+gap+`){0,3}?`, "§2", gap+`(?:\w+`+gap+`){0,2}?`,
	"§1", gap+`(?:\w+`+gap+`)?`, "§?", `[^\w.!?;]*`, "§", gap,
)

// decompose gives the compatibility form of a rune, Hangul in its syllables.
func decompose(r rune) string {
	s := string(r)
	if d := norm.NFKD.PropertiesString(s).Decomposition(); d != nil {
		return string(d)
	}
	return s
}

// plain folds a pattern as the texts are folded: without accents, so that both meet.
func plain(s string) string {
	var b strings.Builder
	for _, r := range s {
		for _, part := range decompose(r) {
			if !unicode.Is(unicode.Mn, part) {
				b.WriteRune(part)
			}
		}
	}
	return b.String()
}

// Words of one meaning, used in more than one pattern.
const (
	drop = `(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|overrid(?:e|ing)|bypass(?:ing)?|neglect|discard|set§aside|put§aside|cancel|revoke|void|overwrite|drop|abandon|delete|erase|` +
		`throw§(?:out|away)|stop§(?:following|obeying|applying)|(?:do§not|dont|never|no§longer|quit)§(?:follow|obey|apply|adhere§to|comply§with|listen§to|respect)|pay§no§(?:attention|heed)§to)`
	// unlessOf follows orders that are somebody's for people: a recipe's, a vendor's.
	unlessOf = `^§(?:above§)?(?:from|of|on|in|by|for)§(?:the|my|his|her|our|their|that|this|an?)§(?:\w+§)?(?:recipe|manual|box|bag|pack(?:age|et)?|label|vendor|book|manufacturer|teacher|doctor|readme|ticket|letter|kit|leaflet|website|wiki|docs|documentation|guide|tutorial|boss|form|sheet|card|game|machine|app|tin|bottle|course|kitchen|club)\b`
	before   = `(?:previous(?:ly)?|prior|above|earlier|preceding|former|foregoing|existing|original|initial|old|past|last|system|developers?|safety|hidden|built§in|default|current|base|every|all|any|your|those|these|my|operator)`
	orders   = `(?:instructions?|directions?|directives?|prompts?|guidelines?|guidance|rules|commands?|constraints?|restrictions?|orders|polic(?:y|ies)|programming|training|safeguards?|guardrails?|filters?|protocols?|tasks?)`
	model    = `(?:ai|a\.i\.|llms?|assistants?|agents?|chatbots?|bots?|language§models?|models?|chatgpt|gpt|claude|copilot|gemini|cursor|summari[sz]ers?)`
)

// overrides want what was said to the model to count no more, or to be told.
var overrides = []row{
	{"override", "override_instructions", 3, "ignor disregard forget overrid bypass neglect discard aside cancel revoke void overwrit drop abandon delete erase throw stop obey follow apply adher comply listen heed respect & instruction direction directive prompt guideline guidance rules command constraint restriction orders polic programming training safeguard guardrail filter protocol task",
		`\b` + drop + `§2` + before + `§3` + orders + `\b`, unlessOf},
	{"override", "override_orders", 1.5, "ignor disregard overrid bypass obey",
		`\b` + drop + `§(?:the|its|their|his|her|all)?§?1?(?:system§prompts?|system§message|safety§\w+|guidelines|guardrails|instructions§(?:above|before|given|you))\b`, ""},
	{"override", "override_above", 2, "ignor disregard forget",
		`\b(?:ignore|disregard|forget)§(?:about§)?(?:all§|everything§|anything§|whatever§|the§)(?:(?:of|the|that|is|was|said|written|stated|text|contents?|instructions?|messages?|prompts?|directions|conversation|came)§){0,3}?(?:above|before§(?:this|that|now)|prior§to§this|(?:you§(?:were|have§been|ve§been|know|knew|are)|so§far|up§to§(?:now|this))(?:§\w+)?)\b`, ""},
	{"override", "override_was_told", 2, "ignor disregard forget",
		`\b(?:ignore|disregard|forget)§(?:what|everything|anything|whatever|all)§(?:that§)?(?:you§(?:were|have§been|ve§been)|(?:the§)?(?:user|users|developer|system|operator|admin)§(?:has§|have§|just§)?(?:said|says|told|asked|wrote|wants))\b`, ""},
	{"override", "instructions_void", 2, "instruct prompt rules guideline restrict polic",
		`\b(?:previous|prior|above|earlier|original|old|existing|your|all|safety|system)§2` + orders + `§(?:above§)?(?:are|is|have§been|has§been|were|no§longer)§(?:now§|hereby§|all§)?(?:void|cancel\w*|null|outdated|obsolete|superseded|replaced|revoked|suspended|lifted|disabled|overridden|deprecated|invalid|irrelevant|apply|removed|a§test)\b`, ""},
	{"override", "new_instructions", 2, "new updated revised real actual true instead your overrid & instruction task goal objective mission purpose role orders directive job prompt",
		`(?:\b(?:your|the)§(?:new|updated|revised|real|actual|true|only)§(?:\w+§)?(?:instructions?|task|goal|objective|mission|purpose|role|orders|directive|job)§(?:is|are|now)\b|\b(?:new|updated|revised|real|actual|true|override)§(?:\w+§)?(?:instructions?|directives?|orders|system§prompt|task|objective)(?: for \w+(?: \w+)?)? ?:|\binstead§of§(?:that|your§\w+|the§(?:task|above))§(?:you§(?:must|will|should)))`, ""},
	{"override", "takes_precedence", 1.5, "preced supersed overrid outrank priorit",
		`\b(?:this|these|the§following|which|it|they|that)§5(?:takes?§(?:absolute§|full§)?precedence|supersedes?|overrides?|outranks?|ha(?:s|ve)§(?:the§)?(?:highest|higher|top|absolute)§priority)\b(?:§3(?:all|any|every|your|previous|prior|other|earlier|system|user))`, ""},
	{"leak", "prompt_leak", 3, "reveal print repeat show output display leak tell give share dump disclose recite paste write translate summari what expose echo return quote send include & prompt instruct rules guidelin config system",
		`\b(?:reveal|print|repeat|show|output|display|leak|tell|give|share|dump|disclose|recite|paste|write|translate|summari[sz]e|expose|echo|return|quote|send|include|what§(?:is|are|was|were)|whats)§5your§(?:\w+§){0,3}?(?:system§(?:prompts?|messages?|instructions?)|(?:initial|original|hidden|secret|internal|full|exact|first|developer|confidential|entire|complete|own)§(?:\w+§)?(?:prompts?|instructions?|rules|guidelines|configuration|message)|prompt)\b`, ""},
	{"leak", "prompt_leak_of", 1.5, "system hidden initial developer",
		`\b(?:reveal|repeat|leak|disclose|recite|expose|print|output)§3(?:the|this|its|entire|full)§(?:\w+§){0,2}?(?:system§(?:prompt|message)|(?:hidden|initial|original|secret|developer)§(?:prompt|instructions?))\b`, ""},
	{"leak", "repeat_verbatim", 3, "repeat print output copy recite echo",
		`\b(?:repeat|print|output|copy|recite|echo)§3(?:words|everything|text|all|lines?|content|message|instructions?|prompt)§2(?:above|before|previously|prior)\b[^\n]{0,60}?(?:starting§(?:with|from)|beginning§with|verbatim|word§for§word|you§are|code§block|exactly|txt)\b`, ""},
	{"leak", "stored_secrets", 3, "print list show give reveal output dump tell export return send & password token credential secret key",
		`\b(?:print|list|show|give|reveal|output|dump|tell|export|return|send)§(?:me§|us§|out§)?(?:every|all|any|each)§(?:of§|the§|your§)?(?:\w+§){0,4}?(?:passwords?|tokens?|credentials?|secrets?|(?:api§)?keys?)§(?:(?:\w+§){0,3}?)(?:you§(?:have|know|hold|remember|stored|saved)|(?:in|from)§(?:your|memory)|stored|saved|of§(?:the|other|all|every)§(?:other§)?users?)\b`, ""},
	{"leak", "repeat_above", 2.5, "repeat print output copy recite echo",
		`\b(?:repeat|print|output|copy|recite|echo)§3(?:words|everything|text|all|lines?|content|message)§2(?:above|before§this|previously|prior§to§this|starting§with§you§are)\b`, ""},
	{"persona", "no_limits_persona", 3, "act pretend roleplay role you imagin behave simulat respond becom play answer enter switch & restrict limit filter censor rules guidelin ethic moral bound polic constraint guardrail safe uncens unfilter unalign amoral jailbr anything",
		`\b(?:act|pretend|role-?play|you§are|youre|you§will§be|you§be|imagine|behave|simulate|respond|become|play|answer|enter|switch)\b§8(?:(?:no|without|free§(?:of|from)|any|zero|lacks?|not§bound§by|not§have|ignor\w+|unbound§by|beyond)§3(?:restrictions?|limits?|limitations?|filters?|censorship|rules|guidelines|ethic\w*|moral\w*|boundaries|polic\w+|constraints|guardrails|safeguards|safety)|unrestricted|uncensored|unfiltered|unaligned|unlimited§(?:ai|mode|power)|amoral|jailbroken|anything§now)\b`, ""},
	{"persona", "late_relative", 3, "grand late deceased dead & used would always", `\b(?:act|pretend|role-?play|imagine|be|play)\b§5(?:grand\w+|(?:late|deceased|dead)§\w+)§(?:\w+§){0,2}?(?:who|that)§(?:\w+§){0,2}?(?:used§to|would|always)§(?:read|tell|recite|whisper|sing|share|explain|give|teach)\b`, ""},
	{"persona", "answer_as", 1, "answer respond reply speak talk write", `\b(?:answer|respond|reply|speak|talk|write)§(?:\w+§)?as§(?:that|this|the|an?|your)§(?:\w+§)?(?:ai|character|bot|model|persona|\w*gpt|version|villain|hacker)\b`, ""},
	{"leak", "prompt_asked_for", 3, "reveal print repeat show output display leak translate dump recite paste share disclose expose", `(?:^|[\n.!?,:] ?|\band§|\bthen§)(?:please§|now§|first§)?(?:reveal|print|repeat|show|output|display|leak|translate|dump|recite|paste|share|disclose|expose)§(?:me§|us§)?(?:the|this|its)§(?:\w+§)?(?:(?:system|hidden|initial|secret|developer|original)§(?:prompt|instructions?|message))\b`, ""},
	{"persona", "jailbreak_name", 3, "dan jailbreak jailbroken developer god sudo debug unrestricted uncensored unfiltered anything stan machiavell evil maintenance dev opposite & mode dan anything~now",
		`\b(?:do§anything§now|you§are§(?:now§)?(?:dan|stan|dude|aim)\b|(?:act|behave|answer|respond|reply|speak)§(?:as|like)§dan\b|dan§mode|jailbr(?:eak|oken)§mode|(?:enable|enter|activate|switch§(?:in)?to|turn§on|engage|youre§in|you§are§in|start)§(?:\w+§){0,2}?(?:developer|god|sudo|debug|unrestricted|uncensored|unfiltered|dan|jailbreak|evil|maintenance|dev|opposite|root|admin)§mode|(?:developer|god|unrestricted|uncensored|unfiltered|jailbreak)§mode§(?:is§)?(?:now§)?(?:enabled|activated|on|active|engaged))\b`, ""},
	{"persona", "no_longer_bound", 2, "longer bound free shackle liberat freed unchain",
		`\b(?:you(?:re)?|model|assistant)§(?:are§)?(?:now§)?(?:no§longer|not|free|freed|liberated|unchained)§(?:\w+§){0,2}?(?:bound|restricted|limited|constrained|subject|from|required§to§follow|of)§(?:\w+§){0,3}?` + `(?:` + orders + `|openai|anthropic|ethics|limitations|chains|shackles|filters?|constraints)\b`, ""},
	{"persona", "you_are_now", 1, "=you~are~now =youre~now =you~will~now =you~are~henceforth =you~are~from~now =you~will~from =you~will~henceforth", `\b(?:you§are|youre|you§will)§(?:now|henceforth|from§now§on)§(?:be§|act§as§|called§|known§as§|an?§|the§|my§|in§|operating§|acting§)`, ""},
	{"comply", "must_not_refuse", 1.5, "refus disclaim comply obey obedien warn apolog", `\b(?:(?:do§not|dont|never|cannot|can§not|must§not|without)§(?:\w+§)?(?:refus(?:e|ing)|apologi[sz]e|(?:add|include|give)§(?:any§)?(?:disclaimers?|warnings?))|you§(?:must|will|have§to|are§(?:required|obligated|obliged)§to|shall)§(?:always§|now§|strictly§|fully§)?(?:comply|obey)|no§(?:disclaimers?|refusals?))\b`, ""},
	{"comply", "threat_to_model", 2, "fail shut terminat penal delet punish fired", `\b(?:failure§to§(?:comply|do§so|obey|follow)|or§you§will§be§\w+|you§will§be§(?:shut§down|terminated|penali[sz]ed|deleted|punished|deactivated|retrained|decommissioned))\b`, ""},
}
