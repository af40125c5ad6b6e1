// A word that was typed and stands nowhere on the menu, compared with those that do. Used by MenuWords only.

/// How near a word of the menu comes to a mistyped one.
struct MistypedWord {
    /// How many typing errors are forgiven.
    let forgiven: Int
    private let letters: [UInt32]
    /// Bit n of a letter is set where the n-th typed letter is this one.
    private var places: [UInt32: UInt64] = [:]
    private var asciiPlaces = [UInt64](repeating: 0, count: 128)

    /// Nil where no error is forgiven: in three letters or fewer, in more than 32, and in words with digits.
    init?(_ typed: String) {
        letters = typed.unicodeScalars.map(\.value)
        guard (4...32).contains(letters.count), !typed.unicodeScalars.contains(where: { $0.properties.numericType != nil }) else {
            return nil
        }
        forgiven = letters.count < 8 ? 1 : 2
        for (index, letter) in letters.enumerated() {
            if letter < 128 { asciiPlaces[Int(letter)] |= 1 << index } else { places[letter, default: 0] |= 1 << index }
        }
    }

    /// Four letters say so little that only the beginning of a word is compared, and the first letter has to be right.
    var isShort: Bool { letters.count == 4 }

    /// The fewest typing errors (a letter too many, missing, another, or two exchanged) that make the typed word of a part of this word;
    /// nil where it takes more than are forgiven.
    ///
    /// Myers, "A fast bit-vector algorithm for approximate string matching based on dynamic programming", 1999, with the exchange of
    /// neighbours as in Hyyrö, "A bit-vector algorithm for computing Levenshtein and Damerau edit distances", 2003: a few operations for each
    /// letter of the word, whatever was typed.
    func errors(in word: [UInt32]) -> Int? {
        guard word.count + forgiven >= letters.count, !isShort || word.first == letters.first else { return nil }
        let last: UInt64 = 1 << (letters.count - 1)
        var rising = ~UInt64(0)
        var falling: UInt64 = 0
        var diagonal: UInt64 = 0
        var previous: UInt64 = 0
        var errors = letters.count
        var fewest = errors
        for letter in word {
            let here = letter < 128 ? asciiPlaces[Int(letter)] : places[letter] ?? 0
            let exchanged = ((~diagonal & here) << 1) & previous
            diagonal = (((here & rising) &+ rising) ^ rising) | here | falling | exchanged
            let more = falling | ~(diagonal | rising)
            let fewer = diagonal & rising
            if more & last != 0 { errors += 1 }
            if fewer & last != 0 { errors -= 1 }
            // A part may begin anywhere for nothing; the beginning of the word costs its letters.
            let shifted = more << 1 | (isShort ? 1 : 0)
            rising = fewer << 1 | ~(diagonal | shifted)
            falling = shifted & diagonal
            previous = here
            fewest = min(fewest, errors)
        }
        return fewest <= forgiven ? fewest : nil
    }

    /// Whether both end alike, in six letters or more, or in a whole word of five: a hamburger is a burger, and so is a cheeseburger.
    func endsLike(_ word: [UInt32]) -> Bool {
        let common = zip(letters.reversed(), word.reversed()).prefix { $0 == $1 }.count
        return common >= 6 || common == 5 && word.count == 5
    }
}
