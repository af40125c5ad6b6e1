// Delivery addresses, order comments and kitchen notes: any script is accepted, control characters are rejected.
import Ordering
import Testing

@Suite("Delivery addresses and comments")
struct AddressAndCommentTests {
    @Test(
        "An address of any country is accepted and normalised",
        arguments: [
            ("12 elm street", "12 Elm Street"), ("12 ELM STREET, SPRINGFIELD", "12 Elm Street, Springfield"),
            ("12 Elm St", "12 Elm St"),
            ("  12   Elm\u{A0}St  ", "12 Elm St"), ("5th avenue 7b", "5th Avenue 7b"),
            ("10 Downing Street, SW1A 2AA", "10 Downing Street, SW1A 2AA"),
            ("12 Elm St, NYC", "12 Elm St, NYC"), ("calle de la paz 5", "Calle de la Paz 5"),
            ("東京都千代田区丸の内1-1", "東京都千代田区丸の内1-1"),
            ("شارع الملك ١٢", "شارع الملك ١٢"), ("ул. Ленина, д. 5", "ул. Ленина, д. 5"),
            ("Straße des 17. Juni 135", "Straße des 17. Juni 135"),
            ("Frankfurt am Main, Zeil 1", "Frankfurt am Main, Zeil 1"), ("12 king's road", "12 King's Road"),
            ("№ 5 (rear), apt. #7 & co", "№ 5 (Rear), Apt. #7 & Co"),
            ("Rua da Alfândega, 3.º esq.", "Rua da Alfândega, 3.º esq."),
            ("rua da alfândega, 3.º esq.", "Rua da Alfândega, 3.º Esq."),
            ("123456", "123456"), ("Rue de l'église 4", "Rue de l'église 4"),
            ("rue de l'église 4", "Rue de l'Église 4"),
            ("4 RUE DE L’ÉGLISE", "4 Rue de l’Église"), ("VIA DELL'ACQUA 5", "Via dell'Acqua 5"),
            ("piazza sant'angelo", "Piazza Sant'Angelo"),
            ("c/o Ann Lee, 12 Elm St", "c/o Ann Lee, 12 Elm St"), ("c/o ann lee, 12 elm st", "c/o Ann Lee, 12 Elm St"),
            ("ANN LEE, C/O BOB RAY", "Ann Lee, c/o Bob Ray"), ("PO BOX 12, SPRINGFIELD", "PO Box 12, Springfield"),
            ("po box 12", "PO Box 12"), ("p.o. box 12", "P.O. Box 12"), ("12 po street", "12 Po Street"),
            ("12 MAIN ST, NEW YORK, NY 10001", "12 Main St, New York, NY 10001"),
            ("12 main st, new york, ny 10001", "12 Main St, New York, NY 10001"),
            ("12 oak rd, gary, in 46401-1234", "12 Oak Rd, Gary, IN 46401-1234"),
            ("5 in the fields", "5 in the Fields"),
            ("12B main street", "12B Main Street"), ("main street 12b", "Main Street 12b"),
            ("MAIN STREET 12b", "Main Street 12b"),
            ("HAUPTSTRASSE 5", "Hauptstrasse 5"), ("HAUPTSTRAßE 5", "Hauptstraße 5"),
            ("Hauptstraße 5b", "Hauptstraße 5b"),
            ("hauptstraße 5", "Hauptstraße 5"), ("stratford-upon-avon", "Stratford-upon-Avon"),
            ("AIX-EN-PROVENCE", "Aix-en-Provence"),
            ("IŞIK SOKAK 5, İSTANBUL", "Işık Sokak 5, İstanbul"), ("istanbul, ışık sokak 5", "İstanbul, Işık Sokak 5"),
            ("sydney nsw 2000", "Sydney Nsw 2000"), ("SYDNEY NSW 2000", "Sydney NSW 2000"),
            ("via pio xii 5", "Via Pio XII 5"),
            ("'s-gravenhage, plein 1", "'s-Gravenhage, Plein 1"), ("12 elm st, nyc", "12 Elm St, NYC"),
            ("\u{200F}רחוב 12 הרצל\u{200E}", "רחוב 12 הרצל"), ("12 Elm\u{200B} Street", "12 Elm Street"),
            ("12 Elm Street\n", "12 Elm Street"), ("\t12 Elm\u{AD} Street\u{FEFF}\r\n", "12 Elm Street"),
            ("خیابان می\u{200C}دان ۱۲", "خیابان می\u{200C}دان ۱۲"), ("12 Elm Street ❤\u{FE0F}", "12 Elm Street ❤"),
        ])
    func accepted(address: String, expected: String) throws {
        #expect(try DeliveryAddress.parse(address).get().text == expected)
    }

    @Test(
        "A normalised address stays the same when it is parsed again",
        arguments: [
            "NY 5 avenue", "NY 5, apt a", "NY 5 AVENUE a", "AB-12 o'n", "ΣΊ 1234 ŉ", "UN plaza 1 b", "NY y AB 12",
            "IIII ª 12",
            "Σ \u{FFFD}e ŉ", "ʼN 12345", "C/O 12345", "12345 l'", "12345 d'a", "in 46401", "a in 46401", "po box",
            "5TH av a", "12345 ß",
            "12345 ii",
        ])
    func normalisedTwice(address: String) throws {
        let tidy = try DeliveryAddress.parse(address).get().text
        #expect(try DeliveryAddress.parse(tidy).get().text == tidy)
    }

    @Test(
        "An address that is too short, contains markup or is not printable is rejected",
        arguments: [
            "12345", "     12345     ", "1 Elm", "Zoe\u{308} 1", "<b>12 Elm Street</b>", "12 Elm Street <",
            "12 Elm > Street",
            "12 Elm\nStreet",
            "12 Elm\u{0}Street", "12 Elm\u{7F}Street", "12 Elm\u{9B}Street", "\u{200B}1 Elm\u{200B}\u{AD}", "------",
            "......,",
            "12 Elm\u{1B}[2J St",
        ])
    func rejected(address: String) {
        #expect(
            DeliveryAddress.parse(address) == .failure(FieldError(.address, .invalidAddress, ["minimum": .integer(6)])))
    }

    @Test("A blank address is missing, and an address over 200 characters is too long")
    func limits() throws {
        #expect(DeliveryAddress.parse("   ") == .failure(FieldError(.address, .required)))
        #expect(try DeliveryAddress.parse(String(repeating: "李", count: 200)).get().text.count == 200)
        #expect(
            DeliveryAddress.parse(String(repeating: "x", count: 201))
                == .failure(FieldError(.address, .tooLong, ["limit": .integer(200)])))
    }

    @Test(
        "A comment keeps its lines and characters, and markup in it stays plain text",
        arguments: [
            ("I <3 your fries", "I <3 your fries"), ("<b>hi</b>", "<b>hi</b>"),
            ("ring twice\r\nthen knock\rthen wait", "ring twice\nthen knock\nthen wait"),
            ("  \n no onions \n ", "no onions"), ("👩‍👩‍👧 party!", "👩‍👩‍👧 party!"), ("a\u{2028}b", "a\nb"),
            ("a\n\n  b", "a\n\n  b"),
            ("12 ELM", "12 ELM"), ("\u{202E}txt", "txt"),
            ("call \u{2068}ann\u{2069}\u{202A} now\u{202C}", "call ann now"),
            ("❤\u{FE0F}", "❤\u{FE0F}"), ("\u{FEFF}no\u{200B} on\u{AD}ions\u{2060}", "no onions"),
        ])
    func comment(text: String, expected: String) throws {
        #expect(try OrderComment.parse(text).get()?.text == expected)
    }

    @Test(
        "A comment or note that is blank or has only invisible characters counts as omitted",
        arguments: [
            "", "  ", "\n\r\n", "\u{200B}", "\u{FE0F}\u{200D}", "\u{3164}", "\u{115F}\u{1160}", "\u{2800} \u{2800}",
            "\u{AD}",
            "\u{E0020}\u{E007F}",
            "\u{FEFF}\n\u{200E}", "\u{FFA0}", "\u{180E}", "\u{202E}", "\u{2066} \u{2069}",
        ])
    func blankComment(text: String) throws {
        #expect(try OrderComment.parse(text).get() == nil)
        #expect(try KitchenNote.parse(text).get() == nil)
        #expect(try KitchenNote.parse(text + "x").get()?.text.hasSuffix("x") == true)
    }

    @Test(
        "A comment with control characters is rejected",
        arguments: ["a\u{0}b", "\u{1B}[31m", "a\tb", "a\u{7F}"])
    func rejectedComment(text: String) {
        #expect(OrderComment.parse(text) == .failure(FieldError(.comment, .invalidComment)))
    }

    @Test("A comment over 500 characters is rejected")
    func commentLimit() throws {
        #expect(try OrderComment.parse(String(repeating: "😀", count: 500)).get()?.text.count == 500)
        #expect(
            OrderComment.parse(String(repeating: "x", count: 501))
                == .failure(FieldError(.comment, .tooLong, ["limit": .integer(500)])))
    }
}
