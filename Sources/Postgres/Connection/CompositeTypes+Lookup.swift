// Looks up composite types in the catalogs of the database, on the connection's thread and outside pipeline mode.
import CLibPQ

extension CompositeTypes {
    /// One row for each attribute. `to_regtype` finds the same type as `'name'::regtype`, but returns null if there is
    /// none, so that a missing type does not fail the others.
    private static let lookup = """
        select wanted.name, composite.oid, composite.typarray, attribute.attname, attribute.atttypid,
               case value.typtype when 'e' then 'text'::regtype::oid when 'd' then value.typbasetype else value.oid end
          from unnest($1::text[]) as wanted (name)
          join pg_catalog.pg_type as composite
            on composite.oid = pg_catalog.to_regtype(wanted.name) and composite.typtype = 'c'
          left join pg_catalog.pg_attribute as attribute
            on attribute.attrelid = composite.typrelid and attribute.attnum > 0 and not attribute.attisdropped
          left join pg_catalog.pg_type as value on value.oid = attribute.atttypid
         order by wanted.name, attribute.attnum
        """

    /// The outcome of a lookup.
    enum LookupOutcome {
        /// The definitions have been read. `isChanged` if a known one differs from before.
        case completed(isChanged: Bool)
        /// PostgreSQL rejected the query, for example in an aborted transaction. The definitions are as before.
        case rejected(ServerError)
    }

    /// Reads the definitions of all types that were ever needed. The session must be outside pipeline mode.
    func lookUp(_ session: Session, until deadline: ContinuousClock.Instant?) throws(ConnectionFailure) -> LookupOutcome
    {
        var definitions: [String: Definition] = [:]
        var rejection: ServerError?
        try session.send(Self.lookup, Parameters(namesToLookUp))
        try session.runOutsidePipeline(until: deadline) { result throws(ConnectionFailure) in
            guard PQresultStatus(result) == PGRES_TUPLES_OK else {
                guard let error = ServerError(result) else { throw ConnectionFailure(reason: session.message) }
                if error.endsConnection { throw ConnectionFailure(reason: error.description) }
                rejection = error
                return
            }
            do throws(PostgresError) {
                for index in 0..<PQntuples(result) {
                    var row = Row(result: result, index: index, columnCount: PQnfields(result))
                    let name = try row.next(String.self)
                    let type = try row.nextType()
                    let arrayType = try row.nextType()
                    var definition = definitions[name] ?? Definition(type: type, arrayType: arrayType)
                    if let attribute = try row.next(String?.self) {
                        definition.attributes.append(
                            Attribute(name: attribute, type: try row.nextType(), format: try row.nextType()))
                    }
                    definitions[name] = definition
                }
            } catch {
                throw ConnectionFailure(reason: error.description)
            }
        }
        if let rejection {
            clearRequests()
            return .rejected(rejection)
        }
        return .completed(isChanged: replace(with: definitions))
    }
}

extension Row {
    /// Decodes an object id of a type.
    fileprivate mutating func nextType() throws(PostgresError) -> PostgresType {
        PostgresType(oid: UInt32(truncatingIfNeeded: try next(Int64.self)))
    }
}
