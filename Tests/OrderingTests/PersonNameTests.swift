// Guest names: names in any script are accepted and normalised, texts that cannot be names are rejected.
import Ordering
import Testing

@Suite("Guest names")
struct PersonNameTests {
    @Test(
        "A real name is accepted and stays as it is written",
        arguments: [
            "Zoë", "Zoe\u{308}", "O'Brien", "O’Brien", "李", "李小龍", "محمد", "محمد بن سلمان", "de la Cruz",
            "Ludwig van Beethoven",
            "McDonald",
            "DeShawn", "Ann-Marie", "Jean-Luc Picard", "Martin Luther King, Jr.", "J. R. R. Tolkien", "J.R.R. Tolkien",
            "Nguyễn Thị Hồng",
            "Владимир", "Σωκράτης", "שרה", "ישראל ג׳ורג׳", "प्रिया", "สมชาย", "ጌታቸው", "მარიამ", "Իսահակ", "김민수",
            "山田 太郎", "Gal·la",
            "ジャン・リュック", "Þórður", "Çağla", "Łukasz", "Jeanne d'Arc", "Muḥammad", "Kaʻahumanu", "John Smith III",
            "AJ Lee", "LeBron",
            "علی\u{200C}رضا", "ශ්\u{200D}රී", "അവന്\u{200D}", "葛\u{E0100}城", "X", "Nuñez", "ʼAlî", "Ǆana",
        ])
    func accepted(name: String) throws {
        let parsed = try PersonName.parse(name).get().text
        #expect(Array(parsed.unicodeScalars) == Array(name.unicodeScalars))
    }

    @Test(
        "Dashes, apostrophes, commas, full stops and dots between names are accepted in any script",
        arguments: [
            "בן־גוריון", "בן-גוריון", "ג׳ורג׳", "עו״ד לוי", "עו\"ד לוי", "Դավիթ֊Արամ", "Anne‑Laure", "Anne–Laure",
            "OʼNeill", "O´Neill",
            "O`Neill",
            "O′Neill",
            "Ｏ＇Ｎｅｉｌｌ", "迪丽热巴·迪力木拉提", "迪丽热巴•迪力木拉提", "ジャン＝リュック", "ｼﾞｬﾝ･ﾘｭｯｸ",
            "ジャン゠リュック", "محمّد، علي", "محمـــد", "डॉ॰ शर्मा",
            "བསྟན་འཛིན་",
            "አበበ፡ቢቂላ",
            "Kaʻiulani", "Gal·la Plàcidia", "Lee，Ann", "ᠪᠠᠲᠤ᠆ᠬᠠᠨ", "Cətin", "Ꞌa",
        ])
    func connectors(name: String) throws {
        let parsed = try PersonName.parse(name).get().text
        #expect(Array(parsed.unicodeScalars) == Array(name.unicodeScalars))
    }

    @Test(
        "A name in lower case or in capitals only is capitalised, and its particles stay in lower case",
        arguments: [
            ("ann lee", "Ann Lee"), ("ANN LEE", "Ann Lee"), ("  ann \u{A0}  lee ", "Ann Lee"), ("o'brien", "O'Brien"),
            ("O'BRIEN", "O'Brien"), ("SEAN O'BRIEN", "Sean O'Brien"), ("SEAN OʼBRIEN", "Sean OʼBrien"),
            ("o’brien", "O’Brien"), ("ann-marie", "Ann-Marie"), ("ANN-MARIE", "Ann-Marie"), ("ann־marie", "Ann־Marie"),
            ("maria de la cruz", "Maria de la Cruz"), ("de la cruz", "De la Cruz"),
            ("MARIA DE LA CRUZ", "Maria de la Cruz"),
            ("ludwig van beethoven", "Ludwig van Beethoven"), ("JAN VAN DER BERG", "Jan van der Berg"),
            ("VAN DER BERG", "Van der Berg"),
            ("jan van 't hoff", "Jan van 't Hoff"), ("'t hart", "'t Hart"), ("'ann'", "'Ann'"), ("zoë", "Zoë"),
            ("zoe\u{308}", "Zoe\u{308}"), ("ZOË", "Zoë"), ("élodie", "Élodie"), ("e\u{301}lodie", "E\u{301}lodie"),
            ("sa'd", "Sa'd"),
            ("jeanne d'arc", "Jeanne d'Arc"), ("JEANNE D’ARC", "Jeanne d’Arc"), ("d'artagnan", "D'Artagnan"),
            ("D'ARTAGNAN", "D'Artagnan"),
            ("dell'acqua", "Dell'Acqua"), ("MCDONALD", "McDonald"), ("ronald mcdonald", "Ronald McDonald"),
            ("mack", "Mack"),
            ("JJ ABRAMS", "JJ Abrams"), ("J.J. ABRAMS", "J.J. Abrams"), ("jj abrams", "Jj Abrams"), ("TY NG", "Ty Ng"),
            ("SAMMY DAVIS JR", "Sammy Davis Jr"), ("martin luther king, jr.", "Martin Luther King, Jr."),
            ("JOHN SMITH III", "John Smith III"),
            ("john smith iii", "John Smith III"), ("j.r.r. tolkien", "J.R.R. Tolkien"), ("van", "Van"),
            ("владимир", "Владимир"), ("ΓΙΩΡΓΟΣ ΣΊΣΥΦΟΣ", "Γιωργος Σίσυφος"), ("γιώργος", "Γιώργος"), ("ǆana", "ǅana"),
            ("ǅANA", "ǅANA"),
            ("İBRAHİM IŞIK", "İbrahim Işık"), ("ibrahim ışık", "İbrahim Işık"), ("ERDOĞAN ISI", "Erdoğan Isı"),
            ("ingrid illi", "Ingrid Illi"),
            ("GROẞ", "Groß"), ("GROßMANN", "Großmann"), ("ßa", "ßa"), ("ŉ an", "ŉ An"), ("李 ann", "李 Ann"),
            ("gal·la", "Gal·la"),
            ("\u{200F}محمد\u{200E}", "محمد"), ("ann\u{3000}lee", "Ann Lee"), ("lee,ann", "Lee,Ann"),
            ("მარიამ", "მარიამ"),
        ])
    func normalised(name: String, expected: String) throws {
        let parsed = try PersonName.parse(name).get().text
        #expect(Array(parsed.unicodeScalars) == Array(expected.unicodeScalars), "\(parsed)")
    }

    @Test(
        "A name in mixed case keeps its letters, and only its white space is normalised",
        arguments: [
            "Ann lee", "JOHN smith", "mcDonald", "DeShawn McDONALD", "JJ Abrams", "Jj Abrams", "van der Berg, Jan",
            "Charles de Gaulle",
            "d'Artagnan", "bell hooks Estate", "Ludwig Van Beethoven", "Nguyễn Văn an", "FitzGerald-LEE",
            "Sinn Féin na hÉireann",
            "AC Milan",
            "İbrahim Işık", "Anna Groß", "Ｏ’Neill", "john smith III",
        ])
    func untouched(name: String) throws {
        #expect(try PersonName.parse("  \(name)\u{A0} ").get().text == name)
    }

    @Test(
        "A normalised name stays the same when it is parsed again",
        arguments: [
            "ann lee", "MARIA DE LA CRUZ", "o'brien", "ΓΙΩΡΓΟΣ ßa", "de la cruz", "d'a", "x d'a", "a iii", "iii a",
            "ı i", "I Ğ", "y",
            "a y", "y a b",
            "JJ", "NY", "ʼn", "'a", "l'", "a l'", "σ", "Σ", "mc", "mcabc", "ა b", "Ა Ბ",
        ])
    func normalisedTwice(name: String) throws {
        let once = try PersonName.parse(name).get()
        #expect(try PersonName.parse(once.text).get() == once)
    }

    @Test(
        "A text with characters that no name contains is rejected",
        arguments: [
            "Ann1", "<b>Ann</b>", "Ann; drop table", "...", "'-'", "Ann\u{0}Lee", "Ann\nLee", "Ann\tLee",
            "Ann\r\nX-Header: y",
            "ann@example.com", "😀",
            "\u{301}", "Ann \u{301}", "Ann\u{7F}",
            "Ann\u{85}Lee", "Ann\u{2028}Lee", "Ann\u{600}", "\u{E000}", "\u{FFFF}", "Ann_Lee", "Ann/Lee", "٣",
            "Nguyễn Thị 3rd",
            "Ann \"Lee\"", "\"שרה\"", "Ann & Bob", "Ann+Lee", "Henry Ⅷ", "Ann=Lee",
        ])
    func rejected(name: String) {
        #expect(PersonName.parse(name) == .failure(FieldError(.name, .invalidName)))
    }

    @Test(
        "Invisible characters, and white space at both ends, are removed from a name",
        arguments: [
            ("Ann\u{200B}Lee", "AnnLee"), ("Ann\u{AD}", "Ann"), ("\u{200B}Ann \u{AD}Lee\u{2060}", "Ann Lee"),
            ("Ann\u{200D}Lee", "AnnLee"),
            ("\u{200C}علی", "علی"), ("Ann\u{FEFF}", "Ann"), ("\u{202A}Ann\u{202C}", "Ann"),
            ("\u{2068}Ann\u{2069} Lee", "Ann Lee"),
            ("Ann\u{FE0F}", "Ann"), ("Ann\u{E0041}", "Ann"), ("An\u{34F}n", "Ann"),
            ("\u{3164}Ann\u{2800}Lee", "Ann Lee"),
            ("Ann Lee\n", "Ann Lee"), ("\r\n\tAnn Lee \t", "Ann Lee"), ("علی\u{200C}\u{200C}رضا", "علی\u{200C}رضا"),
            ("김\u{200D}민수", "김민수"), ("zoe\u{200B}\u{308}", "Zoe\u{308}"),
        ])
    func withoutInvisibles(name: String, expected: String) throws {
        let parsed = try PersonName.parse(name).get().text
        #expect(Array(parsed.unicodeScalars) == Array(expected.unicodeScalars), "\(parsed)")
    }

    @Test(
        "Joiners, variation selectors and separators that a script needs are kept",
        arguments: [
            "علی\u{200C}رضا", "ශ්\u{200D}රී", "葛\u{E0100}城", "葛\u{FE00}城", "ᠪᠠ\u{180B}ᠲᠤ", "ᠬᠠᠨ\u{180E}ᠠ", "က\u{FE00}",
        ])
    func neededInvisibles(name: String) throws {
        let parsed = try PersonName.parse(name).get().text
        #expect(Array(parsed.unicodeScalars) == Array(name.unicodeScalars))
    }

    @Test(
        "A blank name is missing",
        arguments: [
            "", " ", "\t\n", "\u{3000}\u{A0}", "\u{200F}", "\u{3164}", "\u{115F}\u{1160}", "\u{200B}", "\u{2800}",
            "\u{FEFF}\n",
        ])
    func blank(name: String) {
        #expect(PersonName.parse(name) == .failure(FieldError(.name, .required)))
    }

    @Test("A name over 100 characters after normalisation, or over 400 bytes before it, is too long")
    func limits() throws {
        let tooLong = FieldError(.name, .tooLong, ["limit": .integer(100)])
        #expect(try PersonName.parse(String(repeating: "李", count: 100)).get().text.count == 100)
        #expect(PersonName.parse(String(repeating: "李", count: 101)) == .failure(tooLong))
        #expect(
            try PersonName.parse(String(repeating: " ", count: 300) + String(repeating: "x", count: 100)).get().text
                .count == 100)
        #expect(PersonName.parse(String(repeating: " ", count: 400) + "x") == .failure(tooLong))
        // A letter whose capital has two characters is kept, so that normalisation never lengthens a name.
        #expect(try PersonName.parse("ß" + String(repeating: "a", count: 99)).get().text.count == 100)
    }
}
