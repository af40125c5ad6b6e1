// A guest's name: real people's names pass, whatever script, and come out tidied; what no name holds is refused.
import Ordering
import Testing

@Suite("What the app does, 5: the name is letters with ' , . - and spaces, tidied")
struct FieldsNameTests {
    @Test(
        "Real people's names pass and stay as they were written",
        arguments: [
            "Zoë", "Zoe\u{308}", "O'Brien", "O’Brien", "李", "李小龍", "محمد", "محمد بن سلمان", "de la Cruz", "Ludwig van Beethoven",
            "McDonald",
            "DeShawn", "Ann-Marie", "Jean-Luc Picard", "Martin Luther King, Jr.", "J. R. R. Tolkien", "J.R.R. Tolkien", "Nguyễn Thị Hồng",
            "Владимир", "Σωκράτης", "שרה", "ישראל ג׳ורג׳", "प्रिया", "สมชาย", "ጌታቸው", "მარიამ", "Իսահակ", "김민수", "山田 太郎", "Gal·la",
            "ジャン・リュック", "Þórður", "Çağla", "Łukasz", "Jeanne d'Arc", "Muḥammad", "Kaʻahumanu", "John Smith III", "AJ Lee", "LeBron",
            "علی\u{200C}رضا", "ශ්\u{200D}රී", "അവന്\u{200D}", "葛\u{E0100}城", "X", "Nuñez", "ʼAlî", "Ǆana",
        ])
    func passes(name: String) throws {
        let parsed = try PersonName.parse(name).get().text
        #expect(Array(parsed.unicodeScalars) == Array(name.unicodeScalars))
    }

    @Test(
        "A word in lower case or in capitals gets a capital first letter; mixed case and particles stay as written",
        arguments: [
            ("ann lee", "Ann Lee"), ("ANN LEE", "Ann Lee"), ("  ann \u{A0}  lee ", "Ann Lee"), ("o'brien", "O'Brien"),
            ("O'BRIEN", "O'Brien"),
            ("o’brien", "O’Brien"), ("ann-marie", "Ann-Marie"), ("ANN-MARIE", "Ann-Marie"), ("mcDonald", "mcDonald"),
            ("de la Cruz", "de la Cruz"),
            ("maria de la cruz", "Maria de la Cruz"), ("de la cruz", "De la Cruz"), ("MARIA DE LA CRUZ", "Maria De La Cruz"),
            ("ludwig van beethoven", "Ludwig van Beethoven"), ("Ann lee", "Ann Lee"), ("JOHN smith", "John Smith"), ("zoë", "Zoë"),
            ("zoe\u{308}", "Zoe\u{308}"), ("ZOË", "Zoë"), ("élodie", "Élodie"), ("e\u{301}lodie", "E\u{301}lodie"), ("sa'd", "Sa'd"),
            ("dell'acqua", "Dell'Acqua"), ("владимир", "Владимир"), ("ΓΙΩΡΓΟΣ", "Γιωργος"), ("ǆana", "ǅana"), ("ßa", "Ssa"),
            ("john smith III", "John Smith III"), ("j.r.r. tolkien", "J.R.R. Tolkien"), ("van", "Van"), ("李 ann", "李 Ann"),
            ("\u{200F}محمد\u{200E}", "محمد"), ("ann\u{3000}lee", "Ann Lee"), ("lee,ann", "Lee,Ann"), ("მარიამ", "მარიამ"),
        ])
    func tidied(name: String, expected: String) throws {
        let parsed = try PersonName.parse(name).get().text
        #expect(Array(parsed.unicodeScalars) == Array(expected.unicodeScalars), "\(parsed)")
    }

    @Test(
        "A tidied name is tidy: parsing it again changes nothing",
        arguments: ["ann lee", "MARIA DE LA CRUZ", "o'brien", "ΓΙΩΡΓΟΣ ßa", "de la cruz"])
    func tidiesOnce(name: String) throws {
        let once = try PersonName.parse(name).get()
        #expect(try PersonName.parse(once.text).get() == once)
    }

    @Test(
        "What no name holds is refused",
        arguments: [
            "Ann1", "<b>Ann</b>", "Ann; drop table", "...", "'-'", "Ann\u{0}Lee", "Ann\nLee", "Ann\tLee", "Ann\r\nX-Header: y",
            "ann@example.com", "😀",
            "Ann\u{200B}Lee", "Ann\u{AD}", "\u{3164}", "\u{115F}\u{1160}", "\u{301}", "Ann \u{301}", "Ann\u{200D}Lee", "\u{200C}علی",
            "Ann\u{7F}",
            "Ann\u{85}Lee", "Ann\u{2028}Lee", "Ann\u{FEFF}", "\u{E000}", "\u{FFFF}", "Ann_Lee", "Ann/Lee", "٣",
        ])
    func refused(name: String) {
        #expect(PersonName.parse(name) == .failure(FieldError(.name, .invalidName)))
    }

    @Test("A blank name is a missing one", arguments: ["", " ", "\t\n", "\u{3000}\u{A0}", "\u{200F}"])
    func blank(name: String) {
        #expect(PersonName.parse(name) == .failure(FieldError(.name, .required)))
    }

    @Test("A name is at most 100 characters, counted after it is tidied, and 400 bytes as it came")
    func limits() throws {
        let tooLong = FieldError(.name, .tooLong, ["limit": .integer(100)])
        #expect(try PersonName.parse(String(repeating: "李", count: 100)).get().text.count == 100)
        #expect(PersonName.parse(String(repeating: "李", count: 101)) == .failure(tooLong))
        #expect(try PersonName.parse(String(repeating: " ", count: 300) + String(repeating: "x", count: 100)).get().text.count == 100)
        #expect(PersonName.parse(String(repeating: " ", count: 400) + "x") == .failure(tooLong))
        // Each ß opens a word and grows to Ss.
        #expect(PersonName.parse("ß" + String(repeating: "a", count: 99)) == .failure(tooLong))
    }
}
