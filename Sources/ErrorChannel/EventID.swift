// The identifier of an event, "<epoch>-<n>", which a subscriber sends back to resume after it.

/// The number of an event within one run of the broadcast. Numbers restart with each run; the epoch identifies the run.
package struct EventID: Hashable, Sendable, CustomStringConvertible {
    /// The run of the broadcast: 16 hexadecimal digits, random by default.
    package let epoch: String
    /// The event's number, from 1, without gaps.
    package let number: Int64

    /// Creates an identifier from its two parts.
    package init(epoch: String, number: Int64) { (self.epoch, self.number) = (epoch, number) }

    /// Parses exactly the format of `description`; nil for anything else. Takes linear time; the text is at most 40
    /// bytes.
    package init?(_ text: String) {
        guard text.utf8.count <= 40, let dash = text.lastIndex(of: "-") else { return nil }
        let epoch = text[..<dash]
        let digits = text[text.index(after: dash)...]
        guard !epoch.isEmpty, let number = Int64(digits), number >= 1 else { return nil }
        self.init(epoch: String(epoch), number: number)
        guard description.utf8.elementsEqual(text.utf8) else { return nil }
    }

    /// The epoch and the number, joined by a hyphen.
    package var description: String { "\(epoch)-\(number)" }
}
