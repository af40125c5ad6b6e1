// Compares a mistyped word of a search with the words of the menu.

/// Measures how similar a word of the menu is to a mistyped one.
struct FuzzyMatcher {
    /// The largest number of typing errors that still matches.
    let maximumErrors: Int
    private let letters: [UInt32]
    /// Bit n of a letter is set if the n-th typed letter is this one.
    private var positions: [UInt32: UInt64] = [:]
    private var asciiPositions = [UInt64](repeating: 0, count: 128)

    /// Nil if no typing error is tolerated: in words of fewer than 4 or more than 32 letters, and in words with digits.
    init?(_ typed: String) {
        letters = typed.unicodeScalars.map(\.value)
        guard (4...32).contains(letters.count),
            !typed.unicodeScalars.contains(where: { $0.properties.numericType != nil })
        else {
            return nil
        }
        maximumErrors = letters.count < 8 ? 1 : 2
        for (index, letter) in letters.enumerated() {
            if letter < 128 {
                asciiPositions[Int(letter)] |= 1 << index
            } else {
                positions[letter, default: 0] |= 1 << index
            }
        }
    }

    /// Four letters match too much: they match only at the beginning of a word, and the first letter must be correct.
    var isShort: Bool { letters.count == 4 }

    /// The fewest typing errors (insertion, deletion, substitution, transposition) between the typed word and a part
    /// of this word; nil if there are more than `maximumErrors`. Costs a few operations per letter of the word.
    ///
    /// Myers, "A fast bit-vector algorithm for approximate string matching based on dynamic programming", 1999.
    /// Transpositions: Hyyrö, "A bit-vector algorithm for computing Levenshtein and Damerau edit distances", 2003.
    func errorCount(in word: [UInt32]) -> Int? {
        guard word.count + maximumErrors >= letters.count, !isShort || word.first == letters.first else { return nil }
        let last: UInt64 = 1 << (letters.count - 1)
        var rising = ~UInt64(0)
        var falling: UInt64 = 0
        var diagonal: UInt64 = 0
        var previous: UInt64 = 0
        var errors = letters.count
        var fewest = errors
        for letter in word {
            let match = letter < 128 ? asciiPositions[Int(letter)] : positions[letter] ?? 0
            let transposed = ((~diagonal & match) << 1) & previous
            diagonal = (((match & rising) &+ rising) ^ rising) | match | falling | transposed
            let more = falling | ~(diagonal | rising)
            let fewer = diagonal & rising
            if more & last != 0 { errors += 1 }
            if fewer & last != 0 { errors -= 1 }
            // A match may begin inside the menu word. For a short typed word, each letter before the match is an error.
            let shifted = more << 1 | (isShort ? 1 : 0)
            rising = fewer << 1 | ~(diagonal | shifted)
            falling = shifted & diagonal
            previous = match
            fewest = min(fewest, errors)
        }
        return fewest <= maximumErrors ? fewest : nil
    }

    /// Whether both words end with the same six letters, or with a whole menu word of five: hamburger matches burger.
    func sharesEnding(with word: [UInt32]) -> Bool {
        let common = zip(letters.reversed(), word.reversed()).prefix { $0 == $1 }.count
        return common >= 6 || common == 5 && word.count == 5
    }
}
