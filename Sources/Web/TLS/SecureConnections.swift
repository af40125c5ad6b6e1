// Puts TLS between the socket and HTTP. Made by Application.swift where a certificate was given.

import HummingbirdCore
import Logging
import NIOCore
import NIOSSL

/// Connections of this kind, encrypted.
struct SecureConnections<Connections: ServerChildChannel>: ServerChildChannel {
    let connections: Connections
    let certificate: ServerCertificate

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Connections.Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: certificate.context))
        }.flatMap {
            connections.setup(channel: channel, logger: logger)
        }
    }

    func handle(value: Connections.Value, logger: Logger) async {
        await connections.handle(value: value, logger: logger)
    }
}
