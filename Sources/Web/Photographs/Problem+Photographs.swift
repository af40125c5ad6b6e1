// The problem responses for rejected photographs. The details are those of PhotographError.
import HTTPServing
import HTTPTypes
import Photographs

extension PhotographError: ProblemConvertible {
    package var problem: Problem {
        switch self {
        case .tooLarge: Problem(.contentTooLarge, "photograph_too_large", description)
        case .unsupportedFormat:
            Problem(
                .unsupportedMediaType, "photograph_kind_unknown", description,
                hint: "The format is detected from the first bytes, not from the Content-Type.")
        case .tooManyPixels: Problem(.unprocessableContent, "photograph_too_many_pixels", description)
        case .tooFewPixels: Problem(.unprocessableContent, "photograph_too_few_pixels", description)
        case .unreadable: Problem(.unprocessableContent, "photograph_unreadable", description)
        case .resourceLimitExceeded: Problem(.unprocessableContent, "photograph_too_costly", description)
        case .libvipsMissing: Problem(.notImplemented, "photographs_not_offered", description)
        case .busy, .failed: .overloaded(retryAfter: 5)
        }
    }
}
