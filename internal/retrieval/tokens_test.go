package retrieval_test

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer"

	"memory-graph/internal/retrieval"
)

// Typical texts in the most common scripts.
var prose = []string{
	"I moved from Lisbon to Kiel in March, and since then the mail goes to my sister. Could you keep that in mind?",
	"ok lol brb, mrng standup moved 2 tmrw 9:15, pls tell zsofi + ngoc tht the pkg is @ the dsk",
	"Die Straßenbahn fährt seit dem Umbau nur noch bis zum Südbahnhof; Rückfragen bitte an Frau Müller-Lüdenscheidt.",
	"L'été dernier, nous avons déménagé à Besançon ; ma grand-mère préfère qu'on l'appelle après dîner.",
	"Mañana salgo para Logroño con el niño, así que la reunión queda para el jueves a las cinco.",
	"Proszę, żeby świąteczne życzenia wysłać do cioci Małgorzaty, ul. Żółkiewskiego 7, w Łodzi.",
	"Geçen hafta İzmir'e taşındık; çalışma saatlerim öğleden sonra üçe kaydı.",
	"Завтра утром мы уезжаем в Новосибирск, ключи у соседки на втором этаже, позвоните ей вечером.",
	"Αύριο το πρωί φεύγουμε για τη Θεσσαλονίκη και γυρίζουμε την Κυριακή το βράδυ.",
	"明天早上我们坐火车去杭州，猫请邻居照顾，钥匙在门口的花盆下面。",
	"来週の会議は水曜日の午後三時に変更になりました。資料は田中さんに送ってください。",
	"다음 주 회의는 수요일 오후 세 시로 바뀌었고 자료는 김 대리에게 보내 주세요.",
	"غدا صباحا نسافر إلى الإسكندرية ونعود يوم الأحد، والمفتاح عند الجيران.",
	"מחר בבוקר אנחנו נוסעים לחיפה וחוזרים ביום ראשון בערב.",
	"कल सुबह हम लोग जयपुर जा रहे हैं, चाबी पड़ोसन के पास है, शाम को फोन कर लेना।",
	"พรุ่งนี้เช้าเราจะไปเชียงใหม่และกลับวันอาทิตย์ กุญแจอยู่กับเพื่อนบ้าน",
	"ነገ ጠዋት ወደ ባሕር ዳር እንሄዳለን፤ ቁልፉ ከጎረቤት ጋር ነው።",
	"🎉🎂 happy bday!!! 🥳🥳🥳 c u at 7️⃣ 👩‍👩‍👧‍👦 ¯\\_(ツ)_/¯",
	"func (r *Retriever) ask(ctx context.Context, req Request) (Answer, error) { return r.rank(ctx, " +
		"req.Query[:min(len(req.Query), 1<<12)]) }",
	"curl -sS -X POST https://api.example.org/v1/items?limit=50 -H 'Authorization: Bearer abc' | jq '.items[] | {id, " +
		"name}'",
	"2026-11-22T02:12:33.417Z WARN pool-7-thread-12 c.e.h.HikariPool - Connection 0x7ffe29c1 is not available, request " +
		"timed out after 30000ms",
	"SELECT e.id, count(*) FROM mg_episodes e JOIN mg_mentions m ON m.episode_id = e.id WHERE e.namespace = ?1 GROUP BY " +
		"1 ORDER BY 2 DESC;",
}

// noise generates texts that need many tokens: keys, digests, numbers and invented names.
func noise(r *rand.Rand) string {
	raw := make([]byte, 20+r.IntN(60))
	for i := range raw {
		raw[i] = byte(r.Uint32())
	}
	const consonants, vowels = "bcdfghjklmnpqrstvwxz", "aeiouy"
	var names strings.Builder
	for range 3 {
		for range 1 + r.IntN(4) {
			names.WriteByte(consonants[r.IntN(len(consonants))])
			names.WriteByte(vowels[r.IntN(len(vowels))])
		}
		names.WriteByte(consonants[r.IntN(len(consonants))])
		names.WriteByte(' ')
	}
	return strings.Join([]string{base64.StdEncoding.EncodeToString(raw), hex.EncodeToString(raw),
		fmt.Sprint(r.Uint64(), " ", r.Float64(), " ", r.IntN(100)), names.String()}[r.IntN(4):], " ")
}

func TestEstimateTokens_IsNeverBelowWhatModelsCount(t *testing.T) {
	t.Parallel()
	var models []tokenizer.Codec
	for _, name := range []tokenizer.Encoding{tokenizer.Cl100kBase, tokenizer.O200kBase} {
		c, err := tokenizer.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		models = append(models, c)
	}
	texts := append([]string{}, prose...)
	for _, pattern := range []string{"../../docs/*.md", "*.go", "../../testdata/mcp/*.txtar"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, file := range files {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for rest := string(b); len(rest) > 2000; rest = rest[2000:] {
				texts = append(texts, strings.ToValidUTF8(rest[:2000], ""))
			}
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		texts = append(texts, noise(r)+"\n- "+prose[r.IntN(len(prose))])
	}
	sum, counted := 0, 0
	for _, text := range texts {
		estimate := retrieval.EstimateTokens(text)
		for _, m := range models {
			n, err := m.Count(text)
			if err != nil {
				t.Fatal(err)
			}
			if n > estimate {
				t.Errorf("%s counts %d, estimated %d: %.120q", m.GetName(), n, estimate, text)
			}
			sum, counted = sum+estimate, counted+n
		}
	}
	if float64(sum) > 2*float64(counted) {
		t.Errorf("%d estimated for %d: half of every budget would stay empty", sum, counted)
	}
	t.Logf("%d texts, %.2f estimated for each token", len(texts), float64(sum)/float64(counted))
}
