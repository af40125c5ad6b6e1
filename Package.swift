// swift-tools-version: 6.2
// The rooms of the house. A target exists only where it forbids an import or where two programs share it;
// read the list from the top down: each one may use only what stands above it.
import PackageDescription

/// What every target of ours is compiled with: Swift 6, `any` spelled out, and no warning left standing.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .treatAllWarnings(as: .error),
]

/// For what is on the way of each request: an async function runs where its caller does, without a hop to "anywhere" and back at each call.
let withoutHops = strict + [SwiftSetting.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

/// Empty in sanitizer builds, which `make` tells by WELMS_SANITIZER: a sanitizer brings an allocator of its own.
let allocator: [Target.Dependency] = Context.environment["WELMS_SANITIZER"] == nil ? ["CMalloc"] : []

let package = Package(
    name: "welms",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "welms", targets: ["welms"]),
        .library(name: "StorefrontClient", targets: ["StorefrontClient"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
    ],
    targets: [
        // The C header of PostgreSQL's own client library.
        .systemLibrary(name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),

        // The C header of zlib, which comes with every Debian.
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

        // jemalloc, which replaces glibc's malloc in the server.
        .systemLibrary(name: "CJemalloc", pkgConfig: "jemalloc", providers: [.apt(["libjemalloc-dev"])]),

        // The settings of jemalloc. A C target, because jemalloc reads them from a C variable before main begins.
        .target(name: "CMalloc", dependencies: ["CJemalloc"]),

        // The C header of libcurl, which speaks SMTP.
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),

        // The C headers of OpenSSL, which libpq is linked with.
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),

        // SHA-256 and its HMAC.
        .target(name: "Digests", dependencies: ["COpenSSL"], swiftSettings: strict),

        // An async, pipelined PostgreSQL client on libpq. Knows no food.
        .target(
            name: "Postgres",
            dependencies: [
                "CLibPQ",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict
        ),

        // A private PostgreSQL cluster made from the machine's own server binaries.
        .target(
            name: "EmbeddedPostgres",
            dependencies: [
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Subprocess", package: "swift-subprocess"),
            ],
            swiftSettings: strict
        ),

        // The rules: pure values and functions. No clock, no I/O, nobody else's types.
        .target(name: "Ordering", swiftSettings: strict),

        // The broadcast of faults and recoveries.
        .target(name: "ErrorChannel", swiftSettings: strict),

        // The JSON bodies that cross the network.
        .target(name: "Wire", swiftSettings: strict),

        // What an order's guest is told by mail, and how it is sent. No SQL, no clock of its own.
        .target(name: "Mail", dependencies: ["CCurl", "Ordering"], swiftSettings: strict),

        // Makes photographs fit to be shown, by libvips in a process of its own.
        .target(
            name: "Photographs",
            dependencies: [
                "Digests", "Ordering",
                .product(name: "Subprocess", package: "swift-subprocess"),
            ],
            swiftSettings: strict
        ),

        // The shop's SQL: migrations, checks, and one file per thing that is stored. No queues, no timers.
        .target(
            name: "Database",
            dependencies: [
                "Digests", "Ordering", "Postgres",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            // The target's folder is the top one because a resource has to lie below it, and staff find sql/ and seed/ there.
            path: ".",
            exclude: [
                "Tests", "Makefile", "README.md", "compose.yaml", "Sources/CLibPQ", "Sources/CZlib", "Sources/CMalloc", "Sources/CJemalloc",
                "Sources/CCurl",
                "Sources/COpenSSL",
                "Sources/Digests", "Sources/Mail", "Sources/Photographs", "Sources/Postgres", "Sources/EmbeddedPostgres",
                "Sources/Ordering", "Sources/ErrorChannel",
                "Sources/Wire", "Sources/Shop", "Sources/Web", "Sources/Origin",
                "Sources/welms", "Sources/StorefrontClient", "Sources/storefront-example", "Sources/Database/Database.docc",
            ],
            sources: ["Sources/Database"],
            resources: [.copy("sql"), .copy("seed")],
            swiftSettings: strict
        ),

        // What the shop does: queues of baskets and checkouts, the menu it keeps, who watches orders. No SQL.
        .target(
            name: "Shop",
            dependencies: [
                "Digests", "Ordering", "Photographs", "Database", "Mail",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: strict
        ),

        // The HTTP server: routes, limits, pictures.
        .target(
            name: "Web",
            dependencies: [
                "CZlib", "Digests", "Ordering", "Photographs", "Shop", "ErrorChannel", "Wire",
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            exclude: ["Metrics/alerts.yml"],
            resources: [.copy("OpenAPI/openapi.json"), .copy("Storefront")],
            swiftSettings: withoutHops
        ),

        // The typed client for storefronts, in Swift on any machine. Knows the server by its contract only.
        .target(
            name: "StorefrontClient",
            dependencies: [
                "Wire",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: strict
        ),

        // An order placed with it, as the README shows.
        .executableTarget(name: "storefront-example", dependencies: ["StorefrontClient", "Wire"], swiftSettings: strict),

        // Tells the program which commit it is built from.
        .plugin(name: "Origin", capability: .buildTool(), path: "Sources/Origin"),

        // The one executable: reads the command line and wires the rest.
        .executableTarget(
            name: "welms",
            dependencies: allocator + [
                "Web", "Shop", "Mail", "Database", "EmbeddedPostgres", "ErrorChannel", "Ordering", "Photographs", "Postgres",
                "Wire",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict,
            plugins: ["Origin"]
        ),

        // Repeatable randomness and test start times, also for test targets without a database.
        .target(name: "TestBasics", path: "Tests/TestBasics", swiftSettings: strict),
        // What tests share: a cluster of the run's own, a database per test, a server on a real socket.
        .target(
            name: "Support",
            dependencies: [
                "CLibPQ", "CZlib", "Database", "EmbeddedPostgres", "Mail", "Ordering", "Photographs", "Postgres", "Shop",
                "StorefrontClient", "TestBasics", "Web", "Wire",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            path: "Tests/Support",
            swiftSettings: strict
        ),
        .testTarget(
            name: "OrderingTests",
            dependencies: [
                "Digests", "Ordering", "TestBasics",
                .product(name: "Subprocess", package: "swift-subprocess"),
            ],
            swiftSettings: strict
        ),
        .testTarget(name: "MailTests", dependencies: ["Mail", "Ordering", "Support"], swiftSettings: strict),
        .testTarget(name: "ErrorChannelTests", dependencies: ["ErrorChannel"], swiftSettings: strict),
        .testTarget(name: "WireTests", dependencies: ["TestBasics", "Wire"], swiftSettings: strict),
        .testTarget(
            name: "PostgresTests",
            dependencies: [
                "Postgres", "EmbeddedPostgres", "Support",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: strict
        ),
        .testTarget(name: "EmbeddedPostgresTests", dependencies: ["EmbeddedPostgres", "Postgres", "Support"], swiftSettings: strict),
        .testTarget(
            name: "ProgramTests",
            dependencies: [
                "welms", "storefront-example", "Database", "EmbeddedPostgres", "Postgres", "TestBasics", "Shop", "StorefrontClient",
                "Support", "Web", "Wire",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "DatabaseTests",
            dependencies: [
                "Database", "EmbeddedPostgres", "Ordering", "Postgres", "TestBasics", "Shop", "Support",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ShopTests",
            dependencies: [
                "Database", "Digests", "Mail", "Ordering", "Postgres", "Shop", "Support",
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "StorefrontClientTests",
            dependencies: [
                "StorefrontClient", "ErrorChannel", "Support", "Web", "Wire",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "WebTests",
            dependencies: [
                "CZlib", "Database", "Photographs", "Postgres", "TestBasics", "Shop", "Support", "Web", "Wire",
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "Metrics", package: "swift-metrics"),
            ],
            swiftSettings: strict
        ),
    ]
)
