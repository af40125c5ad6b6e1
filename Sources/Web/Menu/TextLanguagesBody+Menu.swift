// Which of a thing's texts nobody has translated, so that a page can say what they are in. Called by MenuBodies.swift and OptionBodies.swift.
// Read next: Sources/Ordering/Menu/Translations/Translations.swift.
import Ordering
import Wire

extension TextLanguagesBody {
    /// The shop's own language for each text that is not in the menu's; nil where all are.
    /// - Parameters:
    ///   - headline: The text; there is none where it is empty.
    ///   - description: As headline.
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
    /// The shop's own language for each of its texts that is not in the menu's; nil where all are.
    init?(_ menu: Menu) {
        func language(_ text: ShopText, _ shown: String?) -> String? {
            guard shown != nil, let translated = menu.translation(of: .shopTexts, text.rawValue) else { return nil }
            return translated.description == nil ? menu.languages.own.text : nil
        }
        self.init(imprint: language(.imprint, menu.about.imprint), privacy: language(.privacy, menu.about.privacy))
        if self == ShopTextLanguagesBody() { return nil }
    }
}
