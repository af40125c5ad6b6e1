// The flags of `welms serve` that say whom to let in, and how much of it: TLS, limits for each client, other origins' pages.
import ArgumentParser
import Web

struct GuardOptions: ParsableArguments {
    @Option(help: "Speak https with this certificate and what vouches for it: a PEM file. [env: WELMS_TLS_CERTIFICATE]")
    var tlsCertificate: String?
    @Option(help: "The certificate's key: a PEM file without a passphrase. [env: WELMS_TLS_KEY]")
    var tlsKey: String?
    @Option(help: "How many baskets a client may start in a minute; unlimited unless said otherwise. [env: WELMS_RATE_LIMIT_BASKETS]")
    var rateLimitBaskets: String?
    @Option(help: "How many checkouts a client may send in a minute; unlimited unless said otherwise. [env: WELMS_RATE_LIMIT_CHECKOUTS]")
    var rateLimitCheckouts: String?
    @Option(
        help: ArgumentHelp(
            "The proxies before the server, such as 10.0.0.0/8,::1; the last address in X-Forwarded-For that is none of them is the client. [env: WELMS_TRUSTED_PROXIES]"
        ))
    var trustedProxies: String?
    @Option(
        help:
            "An origin whose pages may use the API, such as https://shop.example; may be given several times. [env: WELMS_ALLOW_ORIGIN, with commas]"
    )
    var allowOrigin: [String] = []

    func fill(_ web: inout WebConfiguration, from settings: Settings) throws {
        switch (settings.text(tlsCertificate, "tls.certificate"), settings.text(tlsKey, "tls.key")) {
        case (let certificate?, let key?): web.certificate = try ServerCertificate.read(certificate: certificate, key: key)
        case (nil, nil): break
        default: throw CommandFailure("--tls-certificate and --tls-key go together: give both, or neither to speak http")
        }
        web.rateLimits.baskets = try rate(settings.text(rateLimitBaskets, "rate.limit.baskets"), "--rate-limit-baskets")
        web.rateLimits.checkouts = try rate(settings.text(rateLimitCheckouts, "rate.limit.checkouts"), "--rate-limit-checkouts")
        if let text = settings.text(trustedProxies, "trusted.proxies") {
            guard let proxies = TrustedProxies(text) else {
                throw CommandFailure(
                    "--trusted-proxies is \"\(text)\": write addresses or ranges with commas between them, such as 10.0.0.0/8,::1")
            }
            web.rateLimits.trustedProxies = proxies
        }
        let origins = allowOrigin.isEmpty ? settings.text(nil, "allow.origin")?.split(separator: ",").map(String.init) ?? [] : allowOrigin
        web.crossOrigin = try CrossOrigin.parse(origins).get()
    }

    private func rate(_ text: String?, _ flag: String) throws(CommandFailure) -> RateLimit? {
        guard let text else { return nil }
        guard let limit = Int(text).flatMap(RateLimit.init(perMinute:)) else {
            throw CommandFailure("\(flag) is \"\(text)\": write how many a minute, from 1 to 1000000")
        }
        return limit
    }
}
