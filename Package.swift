// swift-tools-version: 6.2
// A target exists only to forbid an import or to share code between two programs.
// Each target may depend only on targets above it.
import PackageDescription

/// The settings of every target: Swift 6, explicit `any`, and warnings as errors.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .treatAllWarnings(as: .error),
]

/// The settings of targets that serve requests: a nonisolated async function runs on its caller's executor,
/// without a hop to the global executor and back at each call.
let callerIsolated = strict + [SwiftSetting.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

/// The dependency on jemalloc. Empty if `make` sets WELMS_SANITIZER, because a sanitizer has its own allocator.
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

        // The C header of zlib.
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

        // jemalloc, which replaces glibc's malloc in the server.
        .systemLibrary(name: "CJemalloc", pkgConfig: "jemalloc", providers: [.apt(["libjemalloc-dev"])]),

        // The settings of jemalloc. A C target, because jemalloc reads them from a C variable before main begins.
        .target(name: "CMalloc", dependencies: ["CJemalloc"]),

        // The C header of libcurl, which speaks SMTP.
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),

        // The C headers of OpenSSL, with which libpq is linked.
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),

        // SHA-256 and HMAC-SHA-256.
        .target(name: "Digests", dependencies: ["COpenSSL"], swiftSettings: strict),

        // An async, pipelined PostgreSQL client on libpq, independent of the shop.
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

        // A private PostgreSQL cluster that runs the machine's installed server programs.
        .target(
            name: "EmbeddedPostgres",
            dependencies: [
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Subprocess", package: "swift-subprocess"),
            ],
            swiftSettings: strict
        ),

        // The business rules: pure values and functions. They use no clock, no I/O and no types of other modules.
        .target(name: "Ordering", swiftSettings: strict),

        // The broadcast of faults and recoveries to subscribers.
        .target(name: "ErrorChannel", swiftSettings: strict),

        // The JSON bodies of the HTTP API.
        .target(name: "Wire", swiftSettings: strict),

        // The mails to guests and the SMTP client. They use no SQL and no clock.
        .target(name: "Mail", dependencies: ["CCurl", "Ordering"], swiftSettings: strict),

        // Processes photographs for the web with libvips, in a separate process.
        .target(
            name: "Photographs",
            dependencies: [
                "Digests", "Ordering",
                .product(name: "Subprocess", package: "swift-subprocess"),
            ],
            swiftSettings: strict
        ),

        // The shop's SQL: migrations, checks, queries and writes, without queues and timers.
        .target(
            name: "Database",
            dependencies: [
                "Digests", "Ordering", "Postgres",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            // Both folders are in the root, where staff look for them. SwiftPM copies resources from outside of the
            // target's folder since tools version 6.0.
            resources: [.copy("../../sql"), .copy("../../seed")],
            swiftSettings: strict
        ),

        // The running shop: basket and checkout queues, the cached menu and the order watchers, without SQL.
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

        // The HTTP server without the shop: connections, limits, routing, compression, event streams, metrics, TLS.
        .target(
            name: "HTTPServing",
            dependencies: [
                "CZlib", "Digests",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: callerIsolated
        ),

        // The pages for guests and staff: HTML, CSS, JavaScript and texts, and how they are bundled and cached.
        .target(
            name: "Pages",
            dependencies: ["HTTPServing", .product(name: "HTTPTypes", package: "swift-http-types")],
            resources: [.copy("Storefront")],
            swiftSettings: callerIsolated
        ),

        // The shop's routes, with their JSON.
        .target(
            name: "Web",
            dependencies: [
                "Digests", "ErrorChannel", "HTTPServing", "Ordering", "Pages", "Photographs", "Shop", "Wire",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            exclude: ["Metrics/alerts.yml"],
            resources: [.copy("OpenAPI/openapi.json")],
            swiftSettings: callerIsolated
        ),

        // The typed Swift client for storefronts. Depends only on the HTTP API.
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

        // The README's example of StorefrontClient: a program that places an order.
        .executableTarget(
            name: "storefront-example", dependencies: ["StorefrontClient", "Wire"], swiftSettings: strict),

        // The build plugin that compiles the commit's id into the program.
        .plugin(name: "Origin", capability: .buildTool(), path: "Sources/Origin"),

        // The executable: reads the command line and wires the other targets.
        .executableTarget(
            name: "welms",
            dependencies: allocator + [
                "HTTPServing", "Web", "Shop", "Mail", "Database", "EmbeddedPostgres", "ErrorChannel", "Ordering",
                "Photographs", "Postgres", "Wire",
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

        // Repeatable random numbers and the start times of tests. Separate from Support, which needs a database.
        .target(name: "TestBasics", path: "Tests/TestBasics", swiftSettings: strict),
        // The shared test support: a private cluster per run, a database per test, a server on a real socket.
        .target(
            name: "Support",
            dependencies: [
                "CLibPQ", "CZlib", "Database", "EmbeddedPostgres", "Mail", "Ordering", "Photographs", "Postgres",
                "Shop",
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
        .testTarget(
            name: "EmbeddedPostgresTests", dependencies: ["EmbeddedPostgres", "Postgres", "Support"],
            swiftSettings: strict),
        .testTarget(
            name: "ProgramTests",
            dependencies: [
                "welms", "storefront-example", "Database", "EmbeddedPostgres", "HTTPServing", "Postgres", "TestBasics",
                "Shop", "StorefrontClient", "Support", "Web", "Wire",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "DatabaseTests",
            dependencies: [
                "Database", "Digests", "EmbeddedPostgres", "Ordering", "Postgres", "TestBasics", "Shop", "Support",
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
        // Runs servers on sockets, without a database.
        .testTarget(
            name: "HTTPServingTests",
            dependencies: [
                "HTTPServing", "Support", "TestBasics",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
        // Runs a server of the pages, without a database.
        .testTarget(
            name: "PagesTests",
            dependencies: ["HTTPServing", "Pages", "Support", .product(name: "Logging", package: "swift-log")],
            swiftSettings: strict
        ),
        .testTarget(
            name: "WebTests",
            dependencies: [
                "Database", "HTTPServing", "Photographs", "Postgres", "TestBasics", "Shop", "Support", "Web", "Wire",
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "Metrics", package: "swift-metrics"),
            ],
            swiftSettings: strict
        ),
    ]
)
