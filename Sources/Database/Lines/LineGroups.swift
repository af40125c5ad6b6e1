// Groups the lines of a basket or an order by their sets.
import Ordering

/// The positions of the single lines, and those of each set.
struct LineGroups {
    let single: [Int]
    let sets: [(sale: SalesGroupID, lines: [Int])]

    /// - Parameter sales: the sales group of each line's set; nil for a single line. The lines of a set are adjacent.
    init(_ sales: [SalesGroupID?]) {
        var single: [Int] = []
        var sets: [(sale: SalesGroupID, lines: [Int])] = []
        for (n, sale) in sales.enumerated() {
            guard let sale else {
                single.append(n)
                continue
            }
            if sets.last?.sale == sale {
                sets[sets.count - 1].lines.append(n)
            } else {
                sets.append((sale, [n]))
            }
        }
        (self.single, self.sets) = (single, sets)
    }
}
