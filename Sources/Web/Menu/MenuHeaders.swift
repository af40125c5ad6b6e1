// The header of menu responses while the menu cannot be refreshed.
import HTTPServing
import HTTPTypes

extension HTTPField.Name {
    /// Menu-Stale: for how many seconds the menu could not be refreshed.
    package static let menuStale = custom("Menu-Stale")
}
