// The texts of mails in each language.
import Ordering

/// The texts of one language. A `~` is a placeholder for the order number or the time.
struct MailWords: Sendable {
    /// The texts of one order state: the heading, which is also a part of the subject, and the text for each
    /// fulfilment.
    struct StateText: Sendable {
        let heading: String
        let delivery: String
        let pickup: String
    }

    let subject: String
    let stateTexts: [OrderState: StateText]
    let reason: String
    let follow: String
    let order: String
    let wanted: String
    let promised: String
    let included: String
    let weekdays: [String]
    let months: [String]
}

extension MailLanguage {
    var words: MailWords {
        switch self {
        case .en: Self.english
        case .de: Self.german
        case .es: Self.spanish
        }
    }

    private static let english = MailWords(
        subject: "Order ~",
        stateTexts: [
            .placed: .init(
                heading: "we have received your order",
                delivery: "Thank you. We will deliver it, and write again when the kitchen has accepted it.",
                pickup: "Thank you. We will write again when the kitchen has accepted it. You can then pick it up."),
            .accepted: .init(
                heading: "accepted", delivery: "The kitchen has accepted your order. Estimated delivery: ~.",
                pickup: "The kitchen has accepted your order. Estimated pickup: ~."),
            .onTheWay: .init(
                heading: "on its way", delivery: "Your order is on its way to you.",
                pickup: "Your order is ready for pickup."),
            .rejected: .init(
                heading: "we can’t make it", delivery: "We are sorry: we can’t make your order.",
                pickup: "We are sorry: we can’t make your order."),
            .cancelled: .init(
                heading: "cancelled", delivery: "You have cancelled your order.",
                pickup: "You have cancelled your order."),
        ],
        reason: "Reason", follow: "Follow your order", order: "Your order", wanted: "Ordered for",
        promised: "Estimated time",
        included: "included", weekdays: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
        months: [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November", "December",
        ])

    private static let german = MailWords(
        subject: "Bestellung ~",
        stateTexts: [
            .placed: .init(
                heading: "wir haben Ihre Bestellung",
                delivery: """
                    Vielen Dank. Wir liefern sie Ihnen und schreiben wieder, sobald die Küche sie angenommen hat.
                    """,
                pickup: """
                    Vielen Dank. Wir schreiben wieder, sobald die Küche sie angenommen hat. Dann können Sie sie \
                    abholen.
                    """),
            .accepted: .init(
                heading: "angenommen",
                delivery: "Die Küche hat Ihre Bestellung angenommen. Voraussichtliche Lieferung: ~.",
                pickup: "Die Küche hat Ihre Bestellung angenommen. Voraussichtlich abholbereit: ~."),
            .onTheWay: .init(
                heading: "unterwegs", delivery: "Ihre Bestellung ist unterwegs zu Ihnen.",
                pickup: "Ihre Bestellung ist fertig und kann abgeholt werden."),
            .rejected: .init(
                heading: "nicht möglich", delivery: "Es tut uns leid: Wir können Ihre Bestellung nicht zubereiten.",
                pickup: "Es tut uns leid: Wir können Ihre Bestellung nicht zubereiten."),
            .cancelled: .init(
                heading: "storniert", delivery: "Sie haben Ihre Bestellung storniert.",
                pickup: "Sie haben Ihre Bestellung storniert."),
        ],
        reason: "Grund", follow: "Bestellung verfolgen", order: "Ihre Bestellung", wanted: "Bestellt für",
        promised: "Voraussichtlich",
        included: "inklusive",
        weekdays: ["Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"],
        months: [
            "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November",
            "Dezember",
        ])

    private static let spanish = MailWords(
        subject: "Pedido ~",
        stateTexts: [
            .placed: .init(
                heading: "lo hemos recibido",
                delivery: "Gracias. Se lo llevamos, y le escribiremos cuando la cocina lo haya aceptado.",
                pickup: "Gracias. Le escribiremos cuando la cocina lo haya aceptado. Después podrá recogerlo."),
            .accepted: .init(
                heading: "aceptado", delivery: "La cocina ha aceptado su pedido. Entrega prevista: ~.",
                pickup: "La cocina ha aceptado su pedido. Recogida prevista: ~."),
            .onTheWay: .init(
                heading: "en camino", delivery: "Su pedido está en camino.",
                pickup: "Su pedido está listo para recoger."),
            .rejected: .init(
                heading: "no es posible", delivery: "Lo sentimos: no podemos preparar su pedido.",
                pickup: "Lo sentimos: no podemos preparar su pedido."),
            .cancelled: .init(
                heading: "cancelado", delivery: "Ha cancelado su pedido.", pickup: "Ha cancelado su pedido."),
        ],
        reason: "Motivo", follow: "Siga su pedido", order: "Su pedido", wanted: "Pedido para",
        promised: "Hora prevista",
        included: "incluido", weekdays: ["lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"],
        months: [
            "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre",
            "noviembre", "diciembre",
        ])
}
