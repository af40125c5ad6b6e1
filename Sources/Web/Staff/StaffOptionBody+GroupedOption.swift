// Converts an option with its group to its JSON body for staff.
import Ordering
import Wire

extension StaffOptionBody {
    /// The option as staff see it.
    init(_ option: GroupedOption) {
        self.init(
            id: option.id.rawValue, title: option.option.title, groupId: option.group.id.rawValue,
            groupTitle: option.group.title,
            isAvailable: option.availability.isAvailable, unavailable: UnavailableBody(option.availability),
            left: option.remaining)
    }
}
