// What a client reads the menu in, and how an answer says so. Asked by the routes that show texts of the menu.
// Read next: Headers/AcceptLanguage.swift.
import HTTPTypes
import Ordering

extension Request {
    /// The best of these languages for the client; the shop's own where it says nothing.
    func language(of languages: ShopLanguages) -> LanguageTag {
        guard languages.all.count > 1, headers.contains(.acceptLanguage) else { return languages.own }
        return languages.best(for: AcceptLanguage.ranges(headers[values: .acceptLanguage]))
    }
}

extension HTTPFields {
    /// Says what the texts are in, and that the client was asked.
    mutating func say(_ language: LanguageTag) {
        self[.contentLanguage] = language.text
        vary(by: .acceptLanguage)
    }
}
