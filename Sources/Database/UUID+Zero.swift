import FoundationEssentials

extension UUID {
    /// All bits are zero. No basket and no order has this id.
    static let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}
