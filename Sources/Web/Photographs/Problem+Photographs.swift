// The problem responses for rejected photographs. The details are those of PhotographRefusal.
import HTTPTypes
import Photographs

extension PhotographRefusal: ProblemConvertible {
    package var problem: Problem {
        switch self {
        case .tooLarge: Problem(.contentTooLarge, "photograph_too_large", description)
        case .unknownKind:
            Problem(
                .unsupportedMediaType, "photograph_kind_unknown", description, hint: "The format is detected from the first bytes, not from the Content-Type.")
        case .tooManyPixels: Problem(.unprocessableContent, "photograph_too_many_pixels", description)
        case .tooFewPixels: Problem(.unprocessableContent, "photograph_too_few_pixels", description)
        case .unreadable: Problem(.unprocessableContent, "photograph_unreadable", description)
        case .tooCostly: Problem(.unprocessableContent, "photograph_too_costly", description)
        case .noProgram: Problem(.notImplemented, "photographs_not_offered", description)
        case .busy, .failed: .overloaded(retryAfter: 5)
        }
    }
}
