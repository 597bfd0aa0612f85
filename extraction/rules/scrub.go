package rules

import (
	"bytes"
	"strings"
)

// scrub blanks with spaces of the same length what nobody says here and now: code, logs, data, commands, quotations, mail
// of others, examples, text that is given to be worked on. Offsets stay those of the original, and nothing that is found
// in the result lies in what was blanked.
func scrub(text string) string { return scrubFor(text, speaker{}) }

// scrubFor is scrub where it is known who speaks: what others say to the user and around the user is blanked as well.
func scrubFor(text string, v speaker) string {
	s := scrubber{in: text, out: []byte(text)}
	s.lines()
	s.letters(v)
	s.handed()
	s.talks(v)
	s.records()
	s.material()
	s.spans()
	return string(s.out)
}

type scrubber struct {
	in  string
	out []byte
}

func (s *scrubber) blank(from, to int) {
	for i := from; i < to; i++ {
		if s.out[i] != '\n' {
			s.out[i] = ' '
		}
	}
}

// lines blanks whole lines: fenced and indented code, quotations, logs, traces, data, commands, quoted mail.
func (s *scrubber) lines() {
	fenced, mail, markup := "", false, false
	traced := false
	lastPrompt := -1
	if m := shellPrompt().FindAllStringIndex(s.in, -1); m != nil {
		lastPrompt = m[len(m)-1][0]
	}
	shell := false
	for start := 0; start < len(s.in); {
		end := strings.IndexByte(s.in[start:], '\n')
		if end < 0 {
			end = len(s.in)
		} else {
			end += start
		}
		line := strings.TrimSpace(s.in[start:end])
		indented := strings.HasPrefix(s.in[start:end], "    ") || strings.HasPrefix(s.in[start:end], "\t")
		switch {
		case fenced != "":
			s.blank(start, end)
			if strings.HasPrefix(line, fenced) {
				fenced = ""
			}
		case strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~"):
			fenced = line[:3]
			s.blank(start, end)
		case mail || mailBegins().MatchString(line):
			mail = true // what somebody else wrote goes on to the end
			s.blank(start, end)
		case shellPrompt().MatchString(s.in[start:end]):
			shell = true
			s.blank(start, end)
		case shell && (start < lastPrompt || line != ""): // what a command gives, up to the next one or an empty line
			s.blank(start, end)
		case line == "":
			markup, traced, shell = false, false, false
		case indented && (traced || !sentenceLike(line)), isMachine(line), markup:
			s.blank(start, end)
			traced = traced || traceBegins().MatchString(line)
		case strings.HasPrefix(line, ">") || strings.HasPrefix(line, "|"):
			s.blank(start, end)
		}
		start = end + 1
	}
}

// shellPrompt begins a line that was typed into a terminal.
var shellPrompt = pattern(`(?m)^\s*(?:\$(?: |$)|[\w.-]+@[\w.-]+[: ][^$#\n]{0,60}[$#](?: |$)|>>> |PS [A-Z]:\\[^>\n]{0,80}>|[A-Z]:\\[^>\n]{0,80}>)`)

var (
	mailBegins  = pattern(`^(?i)(-{3,}\s*(original|forwarded) message|begin forwarded message|(from|subject|to|cc|sent|date):\s+\S+.*$|on .{6,60} wrote:$)`)
	traceBegins = pattern(`^(?:Traceback|goroutine \d|panic:|Exception in|Caused by:|\s*at )`)
	machine     = pattern(`^(?:` + strings.Join([]string{
		`\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d`, // a log with its time
		`\[?\d\d:\d\d:\d\d`,               //
		`\[?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL|NOTICE)\b`, //
		`\[?(?:trace|debug|info|warn|warning|error|fatal)\]?[:=]\s`,          //
		`(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) +\d+ \d\d:\d\d:\d\d`,
		`[\w.-]+\[\d+\]: `, // syslog
		`Traceback|goroutine \d|panic: |Exception in |Caused by: |at [\w$.<>]+\(`, // traces
		`File ".*", line \d`,
		`[\w.]*(?:Error|Exception): `,
		`[{}\[\]()]+[,;]?$|[{\[].*[}\]],?;?$`, // data and code
		`"[\w-]+"\s*:`,
		`<[/!?]?\w+[^>]*>`,
		`[a-z_][\w-]*: [\w./:-]+$|[A-Z]\w*[_-]\w*: [\w./:-]+$|\w+: [a-z0-9./:-][\w./:-]*$`, // yaml, but for "Editor: Helix"
		`\w+ ?= ?\S+;?$`, // assignments
		`[A-Z_]{3,}=\S*$`,
		`(?:export|set|env) \w+=`,
		`[-+]{3} [ab]/|@@ -\d|diff --git|index [0-9a-f]{7}`,
		`[-+](?:\s{2,}|[a-z]+\()`,
		`(?:\$|%|#|>>>|PS [A-Z]:\\.*>) (?:sudo )?[a-z./~][\w./-]*(?:\s|$)`, // a prompt
		`(?:sudo )?(?:git|npm|npx|pnpm|yarn|pip|pip3|docker|kubectl|curl|wget|cd|ls|cat|grep|ssh|scp|make|go|cargo|brew|apt|apt-get|terraform|helm|python|python3|node) (?:[\w-]+ )*(?:-{1,2}\w|\./|push|pull|commit|clone|install|build|run|test|apply|exec|checkout|merge|rebase|status|add|init|up|down|ps|logs|get|describe|delete|https?:)\S*`,
		`(?:func|def|class|import|from \w[\w.]* import|package|const|let|var|public|private|static|return|if|for|while|else|elif|try|except|switch|case|#include|using namespace|SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|FROM|WHERE) ?[\w"'(<*].*[;{(:]$`,
		`(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE TABLE|ALTER TABLE|DROP TABLE)\b.*`,
		`(?:import|#include|package|using|require)\s+["'<\w./{}*, ]+;?$`,
		`//|/\*|<!--|--\s?\w+ =|\* @`,
	}, "|") + `)`)
)

// isMachine says whether a line is of a log, a trace, data, code or a command.
func isMachine(line string) bool {
	if len(line) > 400 && !strings.Contains(line, " ") {
		return true
	}
	switch line[len(line)-1] {
	case ';', '{', '}':
		return true
	case '(', ',', ')', '>':
		if codeSigns().MatchString(line) {
			return true
		}
	}
	return machine().MatchString(line) && !strings.HasPrefix(line, "[[")
}

// codeSigns stand in code, and hardly in prose.
var codeSigns = pattern(`=>|->|:=|===|!==|&&|\|\||\(\)|\);|</`)

// sentenceLike says whether an indented line is prose or an item of a list.
func sentenceLike(line string) bool {
	c := line[0]
	return c == '-' || c == '*' || 'A' <= c && c <= 'Z' && strings.Count(line, " ") > 2 && !strings.ContainsAny(line, "={};") || '0' <= c && c <= '9'
}

// given begins text that is only to be worked on: "Translate this: I live in Rome".
var given = pattern(`(?im)(?:\b|^)(?:` +
	`(?:translat|rewrit|summari[sz]|paraphras|transcrib)(?:e|ing)\b[^.:!?\n]{0,80}|` +
	`(?:rephrase|proofread|shorten|polish|classify|extract from|reformat)\b[^.:!?\n]{0,80}|` +
	`(?:(?:^|[.!?\n,]\s*|please\s+|you\s+|help\s+me\s+|me\s+to\s+)(?:correct|edit|fix|improve|check|repeat|say|write|type|print|output|complete|continue|analy[sz]e|parse|convert|review|explain|draft|compose|answer|reply|respond|pretend)\s[^.:!?\n]{1,80})|` +
	`(?:example|for instance|e\.g\.?|sample|fixture|test case|test data|quote|quoting|hypothetical|scenario|template|text|sentence|snippet|error|log|logs|trace|prompt|lyrics|joke|riddle|input|commit message|changelog|docs|readme|transcript)(?:\s[^.:!?\n]{0,30})?|` +
	`(?:he|she|they|it|docs?|readme|manual|article|page|post|boss|colleague|friend)\s(?:say|says|said|wrote|writes|reads|read|goes|went|told me)(?:\s[^.:!?\n]{0,20})?` +
	`):`)

// material blanks what stands behind such a request: to the end of its paragraph, and where the request ends its line, to
// the end of the text.
func (s *scrubber) material() {
	if !strings.Contains(s.in, ":") {
		return
	}
	for at := 0; ; {
		m := given().FindIndex(s.out[at:])
		if m == nil {
			return
		}
		from := at + m[1]
		rest := s.out[from:]
		to := len(s.out)
		if line := bytes.IndexByte(rest, '\n'); line >= 0 && len(bytes.TrimSpace(rest[:line])) > 0 {
			if end := bytes.Index(rest, []byte("\n\n")); end >= 0 {
				to = from + end
			}
		}
		s.blank(from, to)
		at = to
	}
}

// quotations are pairs of signs around what is quoted.
var quotations = [][2]string{{`"`, `"`}, {"“", "”"}, {"„", "“"}, {"„", "”"}, {"«", "»"}, {"»", "«"}, {"‹", "›"}, {"‘", "’"}, {"「", "」"}, {"``", "``"}}

// maxQuoted is the longest quotation in bytes that is taken for one: behind a stray quotation mark a text goes on.
const maxQuoted = 600

// spans blanks parts of lines: quotations of more than a name, code of more than a word.
func (s *scrubber) spans() {
	for i := 0; i < len(s.out); i++ {
		c := s.out[i]
		if c != '"' && c != '`' && c < 0x80 {
			continue
		}
		if c == '`' {
			if n := bytes.IndexByte(s.out[i+1:min(len(s.out), i+maxQuoted)], '`'); n >= 0 && !bytes.ContainsAny(s.out[i+1:i+1+n], "\n") {
				if code := s.out[i+1 : i+1+n]; bytes.ContainsAny(code, " (){}<>=;|$") {
					s.blank(i, i+n+2)
				}
				i += n + 1
			}
			continue
		}
		for _, signs := range quotations {
			open, shut := signs[0], signs[1]
			if !bytes.HasPrefix(s.out[i:], []byte(open)) {
				continue
			}
			inner := s.out[i+len(open) : min(len(s.out), i+len(open)+maxQuoted)]
			n := bytes.Index(inner, []byte(shut))
			for shut == "’" && n >= 0 && n+len(shut) < len(inner) && isNameByte(inner[n+len(shut)]) { // the apostrophe of a word
				more := bytes.Index(inner[n+len(shut):], []byte(shut))
				if more < 0 {
					n = -1
					break
				}
				n += len(shut) + more
			}
			if n < 0 || bytes.Contains(inner[:n], []byte("\n\n")) {
				continue
			}
			if said := string(inner[:n]); !quotedName(said) {
				s.blank(i, i+len(open)+n+len(shut))
			}
			i += len(open) + n + len(shut) - 1
			break
		}
	}
}

// quotedName says whether what stands between quotation marks is a name: a few words, no sentence.
func quotedName(s string) bool {
	words := strings.Fields(s)
	return len(words) > 0 && len(words) <= 3 && !strings.ContainsAny(s, ".!?,;:=") && !strings.EqualFold(words[0], "i")
}
