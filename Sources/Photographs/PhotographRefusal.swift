// Why a photograph was not taken. Thrown by PhotoStudio; told by Web's Problem+Photographs.swift and by `welms photograph`.
// Read next: PhotoStudio.swift.
import Ordering

package enum PhotographRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// More bytes than `PhotoStudio.byteLimit`.
    case tooLarge
    /// The first bytes are those of no JPEG, PNG or WebP.
    case unknownKind
    /// More pixels than `PhotoStudio.pixelLimit`.
    case tooManyPixels
    /// Cut to 4:3 it would be narrower than `PhotoStudio.leastWidth`.
    case tooFewPixels
    /// It can't be read to its end, or not in the memory that there is for it.
    case unreadable
    /// It took longer than anything may, or more of the machine, and was ended.
    case tooCostly
    /// libvips is not installed.
    case noProgram
    /// As many wait as may.
    case busy
    /// This machine could not do it: its disk is full, or there is no room for another process. The text is for the log.
    case failed(String)

    package var description: String {
        switch self {
        case .tooLarge: "The file is larger than \(PhotoStudio.byteLimit / 1_000_000) MB."
        case .unknownKind: "This file is not a photo that we can read. Please choose a JPEG, PNG or WebP file."
        case .tooManyPixels: "The photo has more than \(PhotoStudio.pixelLimit / 1_000_000) megapixels. Please make it smaller."
        case .tooFewPixels:
            "The photo is too small: it needs \(PhotoStudio.leastWidth) by \(Photograph.height(at: PhotoStudio.leastWidth)) pixels at least."
        case .unreadable: "The photo can’t be read: the file is damaged or incomplete."
        case .tooCostly: "The photo is too complex to process. Please save it again with a smaller size."
        case .noProgram: "Photos can’t be added here: libvips is not installed. Install the Debian package libvips-tools."
        case .busy: "Other photos are being processed. Please try again in a moment."
        case .failed: "The photo could not be processed. Please try again in a moment."
        }
    }
}
