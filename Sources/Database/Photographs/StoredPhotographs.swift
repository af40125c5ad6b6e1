// Stores and loads photographs of dishes (sql/019_photographs.sql).
import Logging
import Ordering
import Postgres

extension ShopDatabase {
    /// Assigns a photograph to an item that is not retired; nil removes it.
    package func setPhotograph(of item: MenuItemID, to photograph: ProcessedPhotograph?, by member: StaffMember)
        async throws(DatabaseFault)
    {
        try await execute(
            Self.setPhotographByStaffStatement, .writes, item.rawValue, photograph?.digest,
            PhotographFileRecord.records(of: photograph), member.name, member.role.rawValue)
    }

    /// The same over a separate connection.
    /// - Returns: False if the item does not exist or is retired.
    package static func setPhotograph(
        of item: MenuItemID, to photograph: ProcessedPhotograph?, at url: String, logger: Logger
    ) async throws(DatabaseFault) -> Bool {
        let parameters = Parameters(item.rawValue, photograph?.digest, PhotographFileRecord.records(of: photograph))
        return try await onSeparateConnection(url, logger: logger) { connection throws(PostgresError) in
            try await connection.query(setPhotographStatement, parameters, .writes) { try $0.next(Bool.self) } == [true]
        }
    }

    /// The bytes of one file of a photograph; nil if it does not exist.
    package func loadPhotograph(_ digest: String, width: Int, format: PhotographFormat) async throws(DatabaseFault)
        -> [UInt8]?
    {
        try await query(Self.loadStatement, .reads, digest, Int64(width), format.rawValue) { try $0.next([UInt8].self) }
            .first
    }

    private static let setPhotographStatement = Statement("set_photograph", setPhotograph)
    private static let setPhotographByStaffStatement = Statement(
        "set_photograph_by_staff", setPhotograph + " from act_as($4, $5)")
    private static let setPhotograph = "select set_photograph($1, $2, $3)"

    private static let loadStatement = Statement(
        "load_photograph", "select bytes from photograph_files where digest = $1 and width = $2::bigint and format = $3"
    )
}

/// A file as `set_photograph` receives it: `photograph_file` (sql/019_photographs.sql).
struct PhotographFileRecord: PostgresComposite, Equatable {
    static let compositeName = "photograph_file"

    var width: Int32 = 0
    var format = ""
    var bytes: [UInt8] = []

    mutating func code(with record: inout RecordCoder) throws(CodingError) {
        try record.field("width", &width)
        try record.field("format", &format)
        try record.field("bytes", &bytes)
    }
}

extension PhotographFileRecord {
    fileprivate static func records(of photograph: ProcessedPhotograph?) -> [PhotographFileRecord] {
        photograph?.files.map { PhotographFileRecord($0) } ?? []
    }

    init(_ file: ProcessedPhotograph.File) {
        self.init(width: Int32(clamping: file.width), format: file.format.rawValue, bytes: file.bytes)
    }
}
