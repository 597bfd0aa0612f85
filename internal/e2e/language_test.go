package e2e_test

import "testing"

// Whatever people write, they find it again by words of it, in the process that stored it and in another.
func TestLanguage_IsFoundByItsOwnWords(t *testing.T) {
	t.Parallel()
	said := []struct {
		language, content string
		asked             []string
	}{
		{"Chinese", "我每天早上在公司楼下喝一杯咖啡。", []string{"咖啡", "公司楼下"}},
		{"Japanese", "来週の火曜日に京都で会議があります。", []string{"京都", "会議", "火曜日"}},
		{"Japanese, half-width", "ｶﾌｪで待っています。", []string{"カフェ"}},
		{"Korean", "우리는 서울에서 김치찌개를 먹었습니다.", []string{"김치찌개를", "서울에서"}},
		{"Thai", "ฉันชอบกินข้าวผัดกับกุ้ง", []string{"ข้าวผัด", "กุ้ง"}},
		{"Arabic", "اشتريت الكتاب من المكتبة القديمة", []string{"المكتبة", "الكتاب"}},
		{"Arabic, with marks", "كَتَبَ الوَلَدُ رِسالَةً", []string{"الولد", "رسالة"}},
		{"Hebrew", "הרכבת לחיפה יוצאת בשמונה", []string{"לחיפה", "הרכבת"}},
		{"Hindi", "मुझे दिल्ली की बारिश पसंद है", []string{"दिल्ली", "बारिश"}},
		{"German", "Die Donaudampfschifffahrtsgesellschaft sucht eine Straßenbahnfahrerin.",
			[]string{"Donaudampfschifffahrtsgesellschaft", "straßenbahnfahrerin", "STRASSENBAHNFAHRERIN"}},
		{"Turkish", "İstanbul'da ılık bir akşam yürüdük.", []string{"istanbul", "İSTANBUL", "akşam"}},
		{"Greek", "Η Αθήνα είναι ζεστή τον Ιούλιο.", []string{"Αθήνα", "ΑΘΗΝΑ", "αθηνα"}},
		{"Russian", "Ёжик потерялся в тумане.", []string{"тумане", "ЁЖИК"}},
		{"Vietnamese", "Tôi thích phở bò ở Hà Nội.", []string{"phở", "Hà Nội", "pho"}},
		{"French, decomposed", "Le cafe\u0301 de l'e\u0301te\u0301 ferme a\u0300 minuit.", []string{"café", "été", "minuit"}},
		{"emoji", "We celebrate with 🎉 and 🥑, and the family 👩‍👩‍👧 comes.", []string{"🥑", "🎉", "👩‍👩‍👧"}},
		{"code", "Set MAX_RETRIES=5 in pkg/http_client.go, see ISSUE-4711.",
			[]string{"MAX_RETRIES", "http_client.go", "ISSUE-4711"}},
		{"outside the first plane", "The old word 𐌲𐌿𐍄𐌰 means Goth, and 𠮷野家 is a name.", []string{"𐌲𐌿𐍄𐌰", "𠮷野家"}},
	}
	db := newDB(t)
	writer, reader := start(t, db), start(t, db)
	for i, s := range said {
		id := writer.store(arguments{"content": s.content})
		for _, asked := range s.asked {
			for name, h := range map[string]*host{"its own": writer, "another": reader} {
				a := h.retrieve(arguments{"query": asked, "strategy": "text"})
				if len(a.Episodes) == 0 || a.Episodes[0].ID != id || a.Episodes[0].Content != s.content {
					t.Errorf("%s: %q in %s process: %+v; want %s first", s.language, asked, name, a.Episodes, id)
				}
				if a := h.retrieve(arguments{"query": asked}); !a.has(id) {
					t.Errorf("%s: %q in %s process, with strategy auto: %+v; want %s", s.language, asked, name, a.Episodes, id)
				}
			}
		}
		if i == 0 {
			writer.settled() // from here on with vectors too
		}
	}
	writer.stop()
	reader.stop()
}
