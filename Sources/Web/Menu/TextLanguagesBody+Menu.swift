// Lists which texts are not translated, so that pages can mark their language.
import Ordering
import Wire

extension TextLanguagesBody {
    /// The shop's own language for each text without a translation; nil if all are translated.
    /// - Parameters:
    ///   - headline: The text of the headline, which may be empty.
    ///   - description: The text of the description, which may be empty.
    init?(_ subject: TranslationSubject, _ id: Int64, in menu: Menu, headline: String = "", description: String = "") {
        guard let translated = menu.translation(of: subject, id) else { return nil }
        let own = menu.languages.own.text
        self.init(
            title: translated.title == nil ? own : nil,
            headline: translated.headline == nil && !headline.isEmpty ? own : nil,
            description: translated.description == nil && !description.isEmpty ? own : nil)
        if self == TextLanguagesBody() { return nil }
    }
}

extension ShopTextLanguagesBody {
    /// The shop's own language for each shop text without a translation; nil if all are translated.
    init?(_ menu: Menu) {
        func language(_ text: ShopText, _ shown: String?) -> String? {
            guard shown != nil, let translated = menu.translation(of: .shopTexts, text.rawValue) else { return nil }
            return translated.description == nil ? menu.languages.own.text : nil
        }
        self.init(imprint: language(.imprint, menu.profile.imprint), privacy: language(.privacy, menu.profile.privacy))
        if self == ShopTextLanguagesBody() { return nil }
    }
}
