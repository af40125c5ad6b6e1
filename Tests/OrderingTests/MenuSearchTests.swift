// Searches with typing errors, and exact searches that must not be widened.
import TestBasics
import Testing

@testable import Ordering

@Suite("Menu search with typing errors")
struct MenuSearchTests {
    /// The app's menu with descriptions and tags like those of the seed menu.
    private static func app() -> MenuFixture {
        var app = MenuFixture()
        let texts: [(Int64, String, [String])] = [
            (1001, "A flame-grilled burger, a heap of golden fries and a cold cola.", ["beef", "grilled"]),
            (
                1002, "Chicken roasted slowly with thyme, buttered potatoes and a spoon of gravy.",
                ["chicken", "roasted"]
            ),
            (
                1003, "A crisp chicken fillet under a blanket of melted cheddar, with sweet green peas.",
                ["chicken", "cheese"]
            ),
            (
                2001, "A broad beef patty, crisp lettuce, tomato and onion in a toasted sesame bun.",
                ["beef", "classic"]
            ),
            (2002, "Grilled beef glazed with dark barbecue sauce, and a slice of cheddar.", ["beef", "smoky"]),
            (2004, "Buttermilk chicken fried until it crackles, cool lettuce.", ["chicken", "crispy"]),
            (4004, "Pressed this morning from ripe oranges.", ["cold", "vegan"]),
            (5001, "Ripe tomatoes simmered until thick.", ["dip"]),
        ]
        for (id, description, tags) in texts { app.changeItem(id) { ($0.description, $0.tags) = (description, tags) } }
        return app
    }

    @Test(
        "A word with typing errors that occurs nowhere finds the similar words",
        arguments: [
            ("burgr", [2002, 2003, 2004]), ("hamburger", [2002, 2003, 2004]), ("veggieburger", [2002, 2003, 2004]),
            ("chiken", [1002, 1003, 2004]), ("chikcen", [1002, 1003, 2004]), ("cihcken", [1002, 1003, 2004]),
            ("chickken", [1002, 1003, 2004]),
            ("cheesburger", [2003]), ("cheezeburgr", [2003]), ("chickn burger", [2004]), ("chicken-burger", [2004]),
            ("chiken burgr", [2004]),
            // Search while typing: the beginning of a word, with an error in it.
            ("chik", [1002, 1003, 2004]), ("chike", [1002, 1003, 2004]), ("hcick", [1002, 1003, 2004]),
            ("mustrd", [5003]),
            ("frise", [3001, 3002, 3003]),
            ("oragne jiuce", [4004]), ("frenchfries", [3001, 3002]), ("bbq souce", [5002]),
            ("BÜRGR", [2002, 2003, 2004]),
            // Descriptions are searched only if no title or tag is similar.
            ("cheddr", [1003, 2002]), ("lettice", [2001, 2004]), ("gravvy", [1002]), ("oranje", [4004]),
        ] as [(String, [MenuItemID])])
    func typingErrors(typed: String, expected: [MenuItemID]) throws {
        #expect(try found(typed) == expected)
    }

    @Test(
        "A word that occurs on the menu is searched exactly, and a word without similar words finds nothing",
        arguments: [
            ("burger", [1001, 2002, 2003, 2004]), ("burger fries", [1001]), ("cola", [1001, 4001]), ("beer fries", []),
            ("burgr beer", []),
            ("cheddar", [1003, 2002]), ("tomato", [2001, 5001]), ("ripe", [4004, 5001]),
            // One error in three letters, or two in seven, matches too many words. Four letters must start with the
            // right one.
            ("czl", []), ("brgr", []), ("xurg", []), ("rice", []), ("chkne", []), ("sushi", []), ("pizza", []),
            ("12345", []),
            ("%%%%%", []),
            ("burger sushi", []), ("burgr sushi", []), (String(repeating: "burger", count: 16), []),
        ] as [(String, [MenuItemID])])
    func exact(typed: String, expected: [MenuItemID]) throws {
        #expect(try found(typed) == expected)
    }

    @Test(
        "Search ignores case in any script, including final sigma, ß, dotless ı and ligatures",
        arguments: [
            ("Μουσακάς", "ΜΟΥΣΑΚΆΣ"), ("ΜΟΥΣΑΚΑΣ", "μουσακας"), ("Weiße Soße", "WEISSE SOSSE"),
            ("WEISSE SOSSE", "weiße soße"),
            ("Großer Teller", "GROẞER"),
            ("Ilık sütlaç", "ILIK"), ("ILIK SÜTLAÇ", "ılık"), ("İskender", "iskender"), ("ISKENDER", "ıskender"),
            ("Confit d’oﬃce", "d'office"),
            ("Bœuf bourguignon", "BOEUF"), ("boeuf", "bœuf"), ("Rømmegrøt & æble", "aeble"), ("Ｔｏｆｕ", "TOFU"),
            ("Ĳsjes", "ijsjes"),
        ])
    func caseFolding(title: String, typed: String) throws {
        var app = MenuFixture()
        app.changeItem(4003) { $0.title = title }
        #expect(try found(typed, in: app) == [4003])
        #expect(title.folded.folded == title.folded)
    }

    @Test("Small and capital letters fold to equal texts in Latin, Greek, Cyrillic, Armenian and full width")
    func foldedPairs() {
        for value in Array(0x61...0x5FF) + Array(0xFB00...0xFB17) + Array(0xFF21...0xFF5A) {
            guard let scalar = Unicode.Scalar(UInt32(value)), scalar.properties.isAlphabetic,
                scalar.properties.generalCategory != .nonspacingMark
            else { continue }
            let text = String(scalar)
            #expect(text.uppercased().folded == text.folded && text.folded.folded == text.folded, "\(text)")
        }
    }

    @Test("Exact words, misspelled words and filters apply together, and retired items are neither found nor suggested")
    func combinedFilters() throws {
        var app = Self.app()
        #expect(try found("chiken", category: 100, in: app) == [1002, 1003])
        #expect(
            try found("burger", category: 400, in: app).isEmpty,
            "the word occurs on the menu, so that it is searched exactly")
        app.changeItem(2002) { $0.isRetired = true }
        #expect(try found("burgr", in: app) == [2003, 2004])
        app.changeItem(2003) { $0.title = "Burgr" }
        #expect(try found("burgr", in: app) == [2003])
        app.changeItem(2003) { $0.isRetired = true }
        #expect(try found("burgr", in: app) == [2004])
    }

    @Test("The pages of a search with typing errors contain every result once, in every sort order")
    func pages() throws {
        let menu = try Self.app().menu()
        for order in [MenuSortOrder.position, .price, .title, .random(seed: 0)] {
            let all = MenuPageQuery(words: "chiken", order: order, limit: 100).page(of: menu).items.map(\.id)
            var returned: [MenuItemID] = []
            var last: MenuSortKey?
            repeat {
                let page = MenuPageQuery(words: "chiken", order: order, limit: 1, after: last).page(of: menu)
                returned += page.items.map(\.id)
                last = page.next
            } while last != nil && returned.count < 10
            #expect(returned == all && Set(all) == [1002, 1003, 2004])
        }
    }

    @Test("FuzzyMatcher counts the same typing errors as an edit distance table")
    func oracle() throws {
        var random = SeededRandom()
        for _ in 0..<20_000 {
            let alphabet = Bool.random(using: &random) ? Array("abc") : Array("abцéf")
            func word(_ lengths: ClosedRange<Int>) -> String {
                String(
                    (0..<Int.random(in: lengths, using: &random)).compactMap { _ in
                        alphabet.randomElement(using: &random)
                    })
            }
            let typed = word(4...12), candidate = word(1...14)
            let mistyped = try #require(FuzzyMatcher(typed))
            let counted = mistyped.errorCount(in: candidate.unicodeScalars.map(\.value))
            let expected = edits(Array(typed), Array(candidate), startsAnywhere: typed.count > 4)
            let isMeant = expected <= mistyped.maximumErrors && (typed.count > 4 || typed.first == candidate.first)
            #expect(counted == (isMeant ? expected : nil), "\(typed) \(candidate), \(random)")
        }
    }

    @Test("A search without results in 500 items takes less than 500 ms in a debug build, however long the query is")
    func cost() throws {
        var random = SeededRandom()
        let syllables = ["ba", "ke", "di", "lo", "mu", "ra", "si", "to", "ve", "nu", "gra", "pli", "sto", "chi"]
        func word() -> String {
            (0..<Int.random(in: 2...4, using: &random)).compactMap { _ in syllables.randomElement(using: &random) }
                .joined()
        }
        var app = MenuFixture()
        app.items = (Int64(1)...500).map { id in
            var item = MenuFixture.ItemRow(id, "\(word()) \(word())", .regular, 100)
            item.description = (0..<20).map { _ in word() }.joined(separator: " ")
            item.tags = [word()]
            return item
        }
        let menu = try app.menu()
        let hostile = [
            "hamburger", String(repeating: "xyz ", count: 25), String(repeating: "zzzz ", count: 20),
            String(repeating: "q", count: 100),
        ]
        for q in hostile {
            let query = MenuPageQuery(words: q, limit: 100)
            let best = (0..<10).map { _ in ContinuousClock().measure { _ = query.page(of: menu) } }.min() ?? .zero
            // The limit is 200 times the time of an optimised build, because debug builds run under a sanitizer on busy
            // machines.
            #expect(best < .milliseconds(500), "\(q.prefix(20)): \(best)")
        }
    }

    /// The edit distance between the typed word and the best part of another word: insert, delete, replace, swap
    /// neighbours. Each letter is edited once.
    private func edits(_ typed: [Character], _ word: [Character], startsAnywhere: Bool) -> Int {
        var table = [[Int]](repeating: [Int](repeating: 0, count: word.count + 1), count: typed.count + 1)
        for row in 0...typed.count { table[row][0] = row }
        for column in 0...word.count { table[0][column] = startsAnywhere ? 0 : column }
        for row in 1...typed.count {
            for column in 1...word.count {
                let replaced = table[row - 1][column - 1] + (typed[row - 1] == word[column - 1] ? 0 : 1)
                var best = min(replaced, table[row - 1][column] + 1, table[row][column - 1] + 1)
                if row > 1, column > 1, typed[row - 1] == word[column - 2], typed[row - 2] == word[column - 1] {
                    best = min(best, table[row - 2][column - 2] + 1)
                }
                table[row][column] = best
            }
        }
        return table[typed.count].min() ?? 0
    }

    private func found(_ typed: String, category: Int64? = nil, in app: MenuFixture = MenuSearchTests.app()) throws
        -> [MenuItemID]
    {
        MenuPageQuery(category: category.map(CategoryID.init(rawValue:)), words: typed, limit: 100).page(
            of: try app.menu()
        ).items.map(\.id)
    }
}
