// Chooses the language of a response, and declares it in the headers.
import HTTPServing
import HTTPTypes
import Ordering

extension Request {
    /// The best language for the client; the shop's own without a preference.
    func language(of languages: ShopLanguages) -> LanguageTag {
        guard languages.all.count > 1, headers.contains(.acceptLanguage) else { return languages.own }
        return languages.best(for: AcceptLanguage.ranges(headers[values: .acceptLanguage]))
    }
}

extension HTTPFields {
    /// Sets Content-Language and adds Accept-Language to Vary.
    mutating func setContentLanguage(_ language: LanguageTag) {
        self[.contentLanguage] = language.text
        vary(by: .acceptLanguage)
    }
}
