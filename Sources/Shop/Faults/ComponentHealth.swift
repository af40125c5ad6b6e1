// The health of one component, such as the database, the menu or the mail.

/// The health of one component.
package enum ComponentHealth: Sendable, Hashable {
    /// The component works.
    case healthy
    /// The component does not work. The reason is for the log.
    case failing(String)
}
