// The errors of PhotoProcessor, with sentences for staff.
import Ordering

/// Why a photograph could not be processed. The description is shown to staff.
package enum PhotographError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file has more bytes than `PhotoProcessor.byteLimit`.
    case tooLarge
    /// The file is not a JPEG, PNG or WebP.
    case unsupportedFormat
    /// The image has more pixels than `PhotoProcessor.pixelLimit`.
    case tooManyPixels
    /// Cropped to 4:3, the image would be narrower than `PhotoProcessor.minimumWidth`.
    case tooFewPixels
    /// The file is damaged, or decoding it needs too much memory.
    case unreadable
    /// Processing exceeded a limit of time or of another resource and was stopped.
    case resourceLimitExceeded
    /// libvips is not installed.
    case libvipsMissing
    /// Too many photographs are waiting.
    case busy
    /// This machine failed: its disk is full, or it can start no process. The text is for the log.
    case failed(String)

    /// The sentence for staff: what happened, and what to do.
    package var description: String {
        switch self {
        case .tooLarge: "The file is larger than \(PhotoProcessor.byteLimit / 1_000_000) MB."
        case .unsupportedFormat: "This file is not a photo that we can read. Please choose a JPEG, PNG or WebP file."
        case .tooManyPixels:
            "The photo has more than \(PhotoProcessor.pixelLimit / 1_000_000) megapixels. Please make it smaller."
        case .tooFewPixels:
            """
            The photo is too small: it needs \(PhotoProcessor.minimumWidth) by \
            \(Photograph.height(at: PhotoProcessor.minimumWidth)) pixels at least.
            """
        case .unreadable: "The photo can’t be read: the file is damaged or incomplete."
        case .resourceLimitExceeded: "The photo is too complex to process. Please save it again with a smaller size."
        case .libvipsMissing:
            "Photos can’t be added here: libvips is not installed. Install the Debian package libvips-tools."
        case .busy: "Other photos are being processed. Please try again in a moment."
        case .failed: "The photo could not be processed. Please try again in a moment."
        }
    }
}
