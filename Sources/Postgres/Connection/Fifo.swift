// First in, first out, without moving anything at each step. Used by Pipeline.

/// A queue whose storage is kept when it runs empty.
struct Fifo<Element> {
    private var elements: [Element?] = []
    private var head = 0

    var isEmpty: Bool { head == elements.count }
    /// All of them, in order.
    var all: some Sequence<Element> { elements[head...].lazy.compactMap(\.self) }
    var first: Element? { isEmpty ? nil : elements[head] }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    @discardableResult
    mutating func removeFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = elements[head].take()
        head += 1
        if isEmpty {
            elements.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 1024 {
            // A pipeline that never runs empty must not grow for ever.
            elements.removeFirst(head)
            head = 0
        }
        return element
    }

    /// All that is left, in order; the queue is empty afterwards.
    mutating func removeAll() -> [Element] {
        defer {
            elements.removeAll(keepingCapacity: true)
            head = 0
        }
        return elements[head...].compactMap { $0 }
    }
}
