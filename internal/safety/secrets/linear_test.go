package secrets

import (
	"io"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// A search costs as much as the characters it reads, since RE2 does bounded work per character. Finding all matches is
// linear unless many searches read far ahead without a match. So the tests count the characters read.

// counting passes a text to an expression and counts the characters read.
type counting struct {
	text string
	at   int
	read *int
}

func (c *counting) ReadRune() (rune, int, error) {
	if c.at == len(c.text) {
		return 0, 0, io.EOF
	}
	*c.read++
	r, size := utf8.DecodeRuneInString(c.text[c.at:])
	c.at += size
	return r, size, nil
}

// runesRead returns the number of characters that finding all matches reads.
func runesRead(re *regexp.Regexp, s string) int {
	read := 0
	for at := 0; at < len(s); {
		m := re.FindReaderIndex(&counting{text: s, at: at, read: &read})
		if m == nil {
			break
		}
		at += max(m[1], 1)
		for at < len(s) && !utf8.RuneStart(s[at]) {
			at++
		}
	}
	return read
}

// ahead is the maximal average number of reads per character.
const ahead = 4

// pieces are repeated to form texts that make an expression read far ahead without a match.
var pieces = []string{
	"a", "<private>", "password=", "-----BEGIN PRIVATE KEY-----",
	"-----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY", "eyJabcdefgh.", "x://y:", "sk-", "\"", "token: \"\\\"",
	"[masked: ", "Bearer ", "<private a=b ", "< ", "x://y:z/1", "x://y:z1/@", "password for a ", "password: f(", "密码：",
	"password:&", "password: \"f((\" ", "password=\"a ", "password='a\"`", "curl -u ", "curl -u a:", "curl -u 'a:b ",
	"curl -u \"", "mysql -p", "mysql -p'a ", "mysql -p\"\\", "sshpass -p ", "sshpass -v ", "sshpass -P x ", "4111 ",
	"4111-1111-", "s\u200b", "sk-\u200ba1", "curl \\\n", "curl -u a:b\n", "aaaaaaaa://", "a.a.a",
	"eyJaaaaaaaa.aaaaaaaa", "--token ", "--", "-a", "SSHPASS=", "4111.", "4111\u00a0", "\x1b[0m",
}

func TestMask_ReadsATextABoundedNumberOfTimes(t *testing.T) {
	t.Parallel()
	expressions := []*regexp.Regexp{keyBegin(), keyEnd(), privateTag(), lineEnd()}
	for _, r := range rules {
		expressions = append(expressions, r.re())
	}
	for _, c := range commands {
		expressions = append(expressions, c.name(), c.flag())
	}
	for _, piece := range pieces {
		s := strings.Repeat(piece, 8<<10/len(piece))
		for _, re := range expressions {
			if n, runes := runesRead(re, s), utf8.RuneCountInString(s); n > ahead*runes {
				t.Errorf("%q repeated to %d characters: %s reads %d", piece, runes, re, n)
			}
		}
	}
}

func TestMask_MeasureSeesAnExpressionThatReadsOnAndOn(t *testing.T) {
	t.Parallel()
	s := strings.Repeat("a", 8<<10)
	if n := runesRead(regexp.MustCompile(`a.*b|a`), s); n <= ahead*len(s) {
		t.Errorf("%d of %d characters read", n, len(s))
	}
}

// keyBody reads the text between the begin lines of keys, so it must not reach the next begin line.
func TestPrivateKeys_ReadNothingTwice(t *testing.T) {
	t.Parallel()
	end := 0
	for _, sp := range privateKeys(strings.Repeat("-----BEGIN PRIVATE KEY-----\nMII", 100)) {
		if sp.start < end {
			t.Fatalf("the key at %d begins before %d", sp.start, end)
		}
		end = sp.end
	}
	if end == 0 {
		t.Error("no key is found")
	}
}

// A terminal sequence without an end must not make every later byte be read again.
func TestEscapeSequence_EndsAtTheNextOne(t *testing.T) {
	t.Parallel()
	for _, piece := range []string{"\x1b[", "\x1b[1;", "\x1b]", "\x1b]8;;x", "\x1b(", "\x1b", "\u009b", "\u009d0;"} {
		s := strings.Repeat(piece, 1000)
		read := 0
		for i := 0; i < len(s); {
			n := max(escapeSequence(s[i:]), 1)
			read += n
			i += n
		}
		for i := range s {
			if n := escapeSequence(s[i:]); n > 2*len(piece)+2 {
				t.Fatalf("%q repeated: the sequence at %d has %d bytes", piece, i, n)
			}
		}
		if read != len(s) {
			t.Errorf("%q repeated: %d of %d bytes read", piece, read, len(s))
		}
	}
}
