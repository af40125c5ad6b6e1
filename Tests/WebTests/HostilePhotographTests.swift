// Files that are no photographs, or more than that: each is refused with its reason and nothing of it is kept, or comes out as a picture alone.
// Read next: Sources/Photographs/ImageHead.swift, PhotoStudio.swift.

import Foundation
import Support
import Testing
import Wire

@testable import Photographs
@testable import Web

@Suite("Hostile photographs", .timeLimit(.minutes(5)))
struct HostilePhotographTests {
    @Test("Files that are no photograph of a dish are refused with the reason, and nothing of them is kept")
    func refused() async throws {
        let png = TestPicture.png()
        let jpeg = try await TestPicture.saved(png, as: "jpg")
        let webP = try await TestPicture.saved(png, as: "webp")
        let files = Self.others + Self.broken(png, jpeg, webP)
        #expect(files.count >= 45)
        try await StaffTests.run { shop in
            for (name, bytes, code) in files {
                let reply = try await PhotographTests.put(bytes, on: shop)
                #expect(reply.code == "photograph_\(code)", "\(name): \(reply.text)")
                let problem = try reply.decoded(ProblemBody.self)
                #expect([413, 415, 422].contains(reply.status) && problem.detail.hasSuffix("."), "\(name)")
            }
            // What it is called and declared as says nothing.
            let named =
                StaffTests.bearer + [("Content-Type", "image/jpeg"), ("Content-Disposition", "attachment; filename=\"burger.jpg\"")]
            #expect(try await PhotographTests.put(Array("<svg/>".utf8), on: shop, headers: named).code == "photograph_kind_unknown")
            let coded = StaffTests.bearer + [("Content-Encoding", "gzip")]
            #expect(try await PhotographTests.put(png, on: shop, headers: coded).code == "unsupported_media_type")
            // Fifty megabytes are refused before they have come; where nobody says how many they will be, after ten. A stranger's no sooner or
            // later than on any other route.
            let declared = "Content-Length: 50000000\r\nExpect: 100-continue\r\n"
            #expect(try await Self.upload(declared, chunks: 0, to: shop).contains("photograph_too_large"))
            let chunked = "Transfer-Encoding: chunked\r\n"
            #expect(try await Self.upload(chunked, chunks: 10, to: shop).contains("photograph_too_large"))
            for (headers, chunks) in [(declared, 0), (chunked, 1)] {
                #expect(try await Self.upload(headers, chunks: chunks, token: "x", to: shop).contains("invalid_token"))
            }

            let kept = try await shop.database.psql(
                "select (select count(*) from photographs), (select count(*) from photograph_files), count(photograph) from menu_items")
            #expect(kept == "0|0|0")
        }
    }

    /// What is answered to so many megabytes, and no more, of a file.
    private static func upload(_ headers: String, chunks: Int, token: String = StaffTests.token, to shop: TestShop) async throws -> String {
        try await shop.server.raw { connection in
            try await connection.send(
                "PUT /v1/staff/menu/2001/photograph HTTP/1.1\r\nHost: shop\r\nAuthorization: Bearer \(token)\r\n\(headers)\r\n")
            let chunk = "100000\r\n" + String(repeating: "\u{7F}", count: 1 << 20) + "\r\n"
            for _ in 0..<chunks { try await connection.send(chunk) }
            return try await connection.read(until: "}")
        }
    }

    typealias Hostile = (name: String, bytes: [UInt8], code: String)

    /// Beginnings of other kinds of files.
    private static let others: [Hostile] = {
        let texts = [
            "nothing": "", "one byte": "\u{7F}", "text": "a burger", "a path": "@/etc/passwd",
            "HTML": "<!doctype html><script>alert(1)</script>",
            "SVG": "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
            "SVG with a prologue": "<?xml version='1.0'?><svg/>",
            "PDF": "%PDF-1.7\n%", "PostScript": "%!PS-Adobe-3.0", "GIF": "GIF89a", "GIF that is a script": "GIF89a=1;alert(1)//",
            "ZIP": "PK\u{3}\u{4}", "ELF": "\u{7F}ELF", "shell": "#!/bin/sh\nid", "PHP": "<?php phpinfo();", "TIFF": "II*\0",
            "TIFF, the other way": "MM\0*", "BMP": "BM", "icon": "\0\0\u{1}\0",
            "HEIC": "\0\0\0\u{18}ftypheic", "AVIF": "\0\0\0\u{18}ftypavif",
            "MP4": "\0\0\0\u{18}ftypmp42", "Photoshop": "8BPS", "Radiance": "#?RADIANCE\n", "PPM": "P6 400 300 255\n",
            "sound": "RIFF\0\0\0\0WAVEfmt ", "MVG": "push graphic-context\nimage over 0,0 0,0 'https://x/'",
        ]
        let bytes: [(String, [UInt8])] = [
            ("vips", [0xB6, 0xA6, 0xF2, 0x08]), ("JPEG XL", [0xFF, 0x0A]), ("JPEG 2000", [0xFF, 0x4F, 0xFF, 0x51]),
            ("a half JPEG", [0xFF, 0xD8]),
        ]
        var all: [Hostile] = []
        for (name, text) in texts { all.append((name, Array(text.utf8), "kind_unknown")) }
        for (name, bytes) in bytes { all.append((name, bytes, "kind_unknown")) }
        return all
    }()

    /// Files that begin as they should.
    private static func broken(_ png: [UInt8], _ jpeg: [UInt8], _ webP: [UInt8]) -> [Hostile] {
        brokenPNGs(png) + brokenJPEGs(jpeg) + brokenWebPs(webP)
    }

    private static func brokenPNGs(_ png: [UInt8]) -> [Hostile] {
        let end = TestPicture.chunk("IEND", [])
        func with(_ pixels: [UInt8], _ width: Int = 400, _ height: Int = 300) -> [UInt8] {
            TestPicture.pngHead(width, height) + TestPicture.chunk("IDAT", pixels) + end
        }
        var wrongSum = png
        wrongSum[50] ^= 1
        return [
            ("a PNG's signature alone", Array(png.prefix(8)), "unreadable"),
            ("a PNG bomb", with([], 65_535, 65_535), "too_many_pixels"),
            ("a PNG with more pixels than there are numbers", with([], 0xFFFF_FFFF, 0xFFFF_FFFF), "too_many_pixels"),
            ("a PNG without pixels", with([], 0, 300), "unreadable"),
            ("a PNG without an IDAT", TestPicture.pngHead(400, 300) + end, "unreadable"),
            ("a PNG whose IDAT is nothing of zlib's", with(Array(repeating: 7, count: 99)), "unreadable"),
            (
                "a PNG whose IDAT holds a thousandth", with(TestPicture.deflated([UInt8](repeating: 0, count: 147_000)), 7000, 7000),
                "unreadable"
            ),
            ("a PNG that is cut", Array(png.prefix(png.count / 2)), "unreadable"), ("a PNG with a wrong sum", wrongSum, "unreadable"),
            ("a PNG of one pixel", TestPicture.png(1, 1), "too_few_pixels"),
            ("a PNG that is too low", TestPicture.png(400, 299), "too_few_pixels"),
            ("a strip", TestPicture.png(3000, 100), "too_few_pixels"),
        ]
    }

    private static func brokenJPEGs(_ jpeg: [UInt8]) -> [Hostile] {
        func frame(_ height: [UInt8], _ width: [UInt8]) -> [UInt8] {
            [0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8] + height + width + [3] + [UInt8](repeating: 1, count: 9)
        }
        let tooLarge = jpeg + [UInt8](repeating: 0, count: PhotoStudio.byteLimit + 1 - jpeg.count)
        return [
            ("a JPEG's beginning alone", [0xFF, 0xD8, 0xFF], "unreadable"),
            ("a JPEG bomb", frame([0xFF, 0xFF], [0xFF, 0xFF]) + jpeg, "too_many_pixels"),
            ("a JPEG without height", frame([0, 0], [1, 0x90]) + jpeg, "unreadable"),
            ("a JPEG with a segment of no length", [0xFF, 0xD8, 0xFF, 0xE0, 0, 0] + jpeg, "unreadable"),
            ("a JPEG whose frame is not whole", Array(frame([1, 44], [1, 0x90]).prefix(9)), "unreadable"),
            ("a JPEG that is cut", Array(jpeg.prefix(jpeg.count / 2)), "unreadable"),
            ("a JPEG that is a page", [0xFF, 0xD8, 0xFF] + Array("<html><script>alert(1)</script>".utf8), "unreadable"),
            ("a JPEG with noise for pixels", frame([1, 44], [1, 0x90]) + [UInt8](repeating: 0x5A, count: 3000), "unreadable"),
            ("one byte more than is taken", tooLarge, "too_large"),
        ]
    }

    private static func brokenWebPs(_ webP: [UInt8]) -> [Hostile] {
        func canvas(_ size: [UInt8]) -> [UInt8] {
            Array("RIFF".utf8) + [22, 0, 0, 0] + Array("WEBPVP8X".utf8) + [10, 0, 0, 0, 0, 0, 0, 0] + size
        }
        let unknown = Array(webP.prefix(12)) + Array("EVIL".utf8) + [UInt8](repeating: 0, count: 40)
        return [
            ("a WebP that is cut", Array(webP.prefix(webP.count / 2)), "unreadable"),
            ("a WebP bomb", canvas([UInt8](repeating: 0xFF, count: 6)), "too_many_pixels"),
            ("a WebP without a frame", canvas([143, 1, 0, 43, 1, 0]), "unreadable"), ("a WebP of an unknown chunk", unknown, "unreadable"),
        ]
    }

    @Test("What else a file holds does not come out: no place, no profile, no script; and the picture stands upright")
    func clean() async throws {
        let picture = TestPicture.png(800, 600)
        let jpeg = try await TestPicture.saved(picture, as: "jpg", ["--profile", "p3"])
        let secret = "SECRET-48.8584N"
        let files: [(name: String, bytes: [UInt8])] = [
            (
                "a camera's",
                TestPicture.jpeg(
                    jpeg,
                    with: [
                        (0xE1, TestPicture.exif(orientation: 6, text: secret)),
                        (0xE1, Array("http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>\(secret)".utf8)),
                        (0xED, Array("Photoshop 3.0\0\(secret)".utf8)), (0xFE, Array("\(secret)<script>alert(1)</script>".utf8)),
                    ])
            ),
            ("a JPEG that is a page and an archive too", jpeg + Array("<script>\(secret)</script>PK\u{5}\u{6}\(secret)".utf8)),
            (
                "a PNG with texts",
                TestPicture.png(800, 600, more: TestPicture.chunk("tEXt", Array("Comment\0<?php \(secret)".utf8)))
                    + Array("<svg><script>\(secret)</script></svg>".utf8)
            ),
        ]
        try await StaffTests.run { shop in
            for (name, bytes) in files {
                let sizes = try await PhotographTests.put(bytes, on: shop).expecting(200).decoded(MenuItemBody.self).photograph?.sizes ?? []
                // What the camera held upright is 600 wide.
                #expect(sizes.map(\.width) == (name == "a camera's" ? [400, 600] : [400, 800]), "\(name)")
                for headers in [PhotographTests.browser, []] {
                    for size in sizes {
                        let bytes = Data(try await shop.server.get(size.url, headers: headers).expecting(200).body)
                        for word in ["SECRET", "Exif", "EXIF", "XMP", "xmp", "ICC", "Photoshop", "script", "php", "Comment"] {
                            #expect(bytes.range(of: Data(word.utf8)) == nil, "\(name): \(word)")
                        }
                    }
                }
                guard name == "a camera's" else { continue }
                let upright = try await shop.server.get(sizes[1].url).body
                let top = try await TestPicture.colour(of: upright, 300, 20)
                let bottom = try await TestPicture.colour(of: upright, 300, 430)
                #expect(top[0] > 200 && top[2] < 60 && bottom[0] < 60 && bottom[2] > 200, "turned: \(top) above \(bottom)")
            }
        }
    }
}
