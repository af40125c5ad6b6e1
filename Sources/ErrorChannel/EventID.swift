// The name of an event, which a listener sends back to go on after it ("<epoch>-<n>").
// Made by ErrorBroadcast, parsed by Web from Last-Event-ID.

/// The number of an event in the life of one broadcast. The epoch tells one life from another: after a restart numbers begin anew.
package struct EventID: Hashable, Sendable, CustomStringConvertible {
    /// The life of the broadcast, random, 16 hex digits.
    package let epoch: String
    /// From 1, without gaps.
    package let number: Int64

    package init(epoch: String, number: Int64) { (self.epoch, self.number) = (epoch, number) }

    /// Reads what `description` writes; nil for anything else. Linear in the text, which is 40 bytes at most.
    package init?(_ text: String) {
        guard text.utf8.count <= 40, let dash = text.lastIndex(of: "-") else { return nil }
        let epoch = text[..<dash]
        let digits = text[text.index(after: dash)...]
        guard !epoch.isEmpty, let number = Int64(digits), number >= 1 else { return nil }
        self.init(epoch: String(epoch), number: number)
        guard description.utf8.elementsEqual(text.utf8) else { return nil }
    }

    package var description: String { "\(epoch)-\(number)" }
}
