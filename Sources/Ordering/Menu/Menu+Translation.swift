// What of a menu is translated. Asked by Web, which says of the rest what it is in. Read next: Translations/Translations.swift.

extension Menu {
    /// The texts of a thing that staff have translated into the language of this menu; nil where that is the shop's own, which all are in.
    package func translation(of subject: TranslationSubject, _ id: Int64) -> TranslatedText? {
        language == languages.own ? nil : translations.text(of: subject, id, in: language)
    }
}
