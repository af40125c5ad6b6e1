// Invalid and malicious image files: each is rejected with its reason, or stored as a plain picture.

import Foundation
import Support
import Testing
import Wire

@testable import Photographs
@testable import Web

@Suite("Hostile photographs", .timeLimit(.minutes(5)))
struct HostilePhotographTests {
    @Test("A file that is not a valid photograph is rejected with its reason and not stored")
    func refused() async throws {
        let png = TestPicture.png()
        let jpeg = try await TestPicture.converted(png, to: "jpg")
        let webP = try await TestPicture.converted(png, to: "webp")
        let files = Self.others + Self.broken(png, jpeg, webP)
        #expect(files.count >= 45)
        try await StaffTests.run { shop in
            for (name, bytes, code) in files {
                let reply = try await PhotographTests.put(bytes, on: shop)
                #expect(reply.code == "photograph_\(code)", "\(name): \(reply.text)")
                let problem = try reply.decoded(ProblemBody.self)
                #expect([413, 415, 422].contains(reply.status) && problem.detail.hasSuffix("."), "\(name)")
            }
            // The declared name and media type are ignored.
            let named =
                StaffTests.bearer + [
                    ("Content-Type", "image/jpeg"), ("Content-Disposition", "attachment; filename=\"burger.jpg\""),
                ]
            #expect(
                try await PhotographTests.put(Array("<svg/>".utf8), on: shop, headers: named).code
                    == "photograph_kind_unknown")
            let coded = StaffTests.bearer + [("Content-Encoding", "gzip")]
            #expect(try await PhotographTests.put(png, on: shop, headers: coded).code == "unsupported_media_type")
            // A declared length of 50 MB is rejected before the body; an undeclared one after 10 MB.
            // An invalid token is rejected first, as on every route.
            let declared = "Content-Length: 50000000\r\nExpect: 100-continue\r\n"
            #expect(try await Self.upload(declared, chunks: 0, to: shop).contains("photograph_too_large"))
            let chunked = "Transfer-Encoding: chunked\r\n"
            #expect(try await Self.upload(chunked, chunks: 10, to: shop).contains("photograph_too_large"))
            for (headers, chunks) in [(declared, 0), (chunked, 1)] {
                #expect(try await Self.upload(headers, chunks: chunks, token: "x", to: shop).contains("invalid_token"))
            }

            let kept = try await shop.database.psql(
                """
                select (select count(*) from photographs), (select count(*) from photograph_files), count(photograph)
                from menu_items
                """)
            #expect(kept == "0|0|0")
        }
    }

    /// The response after `chunks` megabytes of a file.
    private static func upload(_ headers: String, chunks: Int, token: String = StaffTests.token, to shop: TestShop)
        async throws -> String
    {
        try await shop.server.withRawConnection { connection in
            try await connection.send(
                "PUT /v1/staff/menu/2001/photograph HTTP/1.1\r\nHost: shop\r\n"
                    + "Authorization: Bearer \(token)\r\n\(headers)\r\n")
            let chunk = "100000\r\n" + String(repeating: "\u{7F}", count: 1 << 20) + "\r\n"
            for _ in 0..<chunks { try await connection.send(chunk) }
            return try await connection.read(until: "}")
        }
    }

    typealias InvalidFile = (name: String, bytes: [UInt8], code: String)

    /// The first bytes of other file types.
    private static let others: [InvalidFile] = {
        let texts = [
            "nothing": "", "one byte": "\u{7F}", "text": "a burger", "a path": "@/etc/passwd",
            "HTML": "<!doctype html><script>alert(1)</script>",
            "SVG": "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
            "SVG with a prologue": "<?xml version='1.0'?><svg/>",
            "PDF": "%PDF-1.7\n%", "PostScript": "%!PS-Adobe-3.0", "GIF": "GIF89a",
            "GIF that is a script": "GIF89a=1;alert(1)//",
            "ZIP": "PK\u{3}\u{4}", "ELF": "\u{7F}ELF", "shell": "#!/bin/sh\nid", "PHP": "<?php phpinfo();",
            "TIFF": "II*\0",
            "TIFF, the other way": "MM\0*", "BMP": "BM", "icon": "\0\0\u{1}\0",
            "HEIC": "\0\0\0\u{18}ftypheic", "AVIF": "\0\0\0\u{18}ftypavif",
            "MP4": "\0\0\0\u{18}ftypmp42", "Photoshop": "8BPS", "Radiance": "#?RADIANCE\n", "PPM": "P6 400 300 255\n",
            "sound": "RIFF\0\0\0\0WAVEfmt ", "MVG": "push graphic-context\nimage over 0,0 0,0 'https://x/'",
        ]
        let bytes: [(String, [UInt8])] = [
            ("vips", [0xB6, 0xA6, 0xF2, 0x08]), ("JPEG XL", [0xFF, 0x0A]), ("JPEG 2000", [0xFF, 0x4F, 0xFF, 0x51]),
            ("a half JPEG", [0xFF, 0xD8]),
        ]
        var all: [InvalidFile] = []
        for (name, text) in texts { all.append((name, Array(text.utf8), "kind_unknown")) }
        for (name, bytes) in bytes { all.append((name, bytes, "kind_unknown")) }
        return all
    }()

    /// Files that begin like a photograph and are invalid later.
    private static func broken(_ png: [UInt8], _ jpeg: [UInt8], _ webP: [UInt8]) -> [InvalidFile] {
        brokenPNGs(png) + brokenJPEGs(jpeg) + brokenWebPs(webP)
    }

    private static func brokenPNGs(_ png: [UInt8]) -> [InvalidFile] {
        let end = TestPicture.chunk("IEND", [])
        func with(_ pixels: [UInt8], _ width: Int = 400, _ height: Int = 300) -> [UInt8] {
            TestPicture.pngHead(width, height) + TestPicture.chunk("IDAT", pixels) + end
        }
        var wrongChecksum = png
        wrongChecksum[50] ^= 1
        return [
            ("a PNG's signature alone", Array(png.prefix(8)), "unreadable"),
            ("a PNG bomb", with([], 65_535, 65_535), "too_many_pixels"),
            ("a PNG whose size overflows", with([], 0xFFFF_FFFF, 0xFFFF_FFFF), "too_many_pixels"),
            ("a PNG without pixels", with([], 0, 300), "unreadable"),
            ("a PNG without an IDAT", TestPicture.pngHead(400, 300) + end, "unreadable"),
            ("a PNG whose IDAT is not zlib data", with(Array(repeating: 7, count: 99)), "unreadable"),
            (
                "a PNG whose IDAT has a thousandth of the pixels",
                with(TestPicture.deflated([UInt8](repeating: 0, count: 147_000)), 7000, 7000),
                "unreadable"
            ),
            ("a truncated PNG", Array(png.prefix(png.count / 2)), "unreadable"),
            ("a PNG with a wrong checksum", wrongChecksum, "unreadable"),
            ("a PNG of one pixel", TestPicture.png(1, 1), "too_few_pixels"),
            ("a PNG that is too small", TestPicture.png(400, 299), "too_few_pixels"),
            ("a strip", TestPicture.png(3000, 100), "too_few_pixels"),
        ]
    }

    private static func brokenJPEGs(_ jpeg: [UInt8]) -> [InvalidFile] {
        func frame(_ height: [UInt8], _ width: [UInt8]) -> [UInt8] {
            [0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8] + height + width + [3] + [UInt8](repeating: 1, count: 9)
        }
        let tooLarge = jpeg + [UInt8](repeating: 0, count: PhotoProcessor.byteLimit + 1 - jpeg.count)
        return [
            ("a JPEG's beginning alone", [0xFF, 0xD8, 0xFF], "unreadable"),
            ("a JPEG bomb", frame([0xFF, 0xFF], [0xFF, 0xFF]) + jpeg, "too_many_pixels"),
            ("a JPEG without height", frame([0, 0], [1, 0x90]) + jpeg, "unreadable"),
            ("a JPEG with a segment of no length", [0xFF, 0xD8, 0xFF, 0xE0, 0, 0] + jpeg, "unreadable"),
            ("a JPEG with an incomplete frame header", Array(frame([1, 44], [1, 0x90]).prefix(9)), "unreadable"),
            ("a truncated JPEG", Array(jpeg.prefix(jpeg.count / 2)), "unreadable"),
            (
                "a JPEG that is an HTML page", [0xFF, 0xD8, 0xFF] + Array("<html><script>alert(1)</script>".utf8),
                "unreadable"
            ),
            (
                "a JPEG with random pixel data", frame([1, 44], [1, 0x90]) + [UInt8](repeating: 0x5A, count: 3000),
                "unreadable"
            ),
            ("a file one byte over the limit", tooLarge, "too_large"),
        ]
    }

    private static func brokenWebPs(_ webP: [UInt8]) -> [InvalidFile] {
        func canvas(_ size: [UInt8]) -> [UInt8] {
            Array("RIFF".utf8) + [22, 0, 0, 0] + Array("WEBPVP8X".utf8) + [10, 0, 0, 0, 0, 0, 0, 0] + size
        }
        let unknown = Array(webP.prefix(12)) + Array("EVIL".utf8) + [UInt8](repeating: 0, count: 40)
        return [
            ("a truncated WebP", Array(webP.prefix(webP.count / 2)), "unreadable"),
            ("a WebP bomb", canvas([UInt8](repeating: 0xFF, count: 6)), "too_many_pixels"),
            ("a WebP without a frame", canvas([143, 1, 0, 43, 1, 0]), "unreadable"),
            ("a WebP of an unknown chunk", unknown, "unreadable"),
        ]
    }

    @Test("A stored picture is upright and has no location, profile or script")
    func metadataIsRemoved() async throws {
        let picture = TestPicture.png(800, 600)
        let jpeg = try await TestPicture.converted(picture, to: "jpg", ["--profile", "p3"])
        let secret = "SECRET-48.8584N"
        let files: [(name: String, bytes: [UInt8])] = [
            (
                "a camera's",
                TestPicture.jpeg(
                    jpeg,
                    with: [
                        (0xE1, TestPicture.exif(orientation: 6, text: secret)),
                        (0xE1, Array("http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>\(secret)".utf8)),
                        (0xED, Array("Photoshop 3.0\0\(secret)".utf8)),
                        (0xFE, Array("\(secret)<script>alert(1)</script>".utf8)),
                    ])
            ),
            (
                "a JPEG that is a page and an archive too",
                jpeg + Array("<script>\(secret)</script>PK\u{5}\u{6}\(secret)".utf8)
            ),
            (
                "a PNG with texts",
                TestPicture.png(800, 600, more: TestPicture.chunk("tEXt", Array("Comment\0<?php \(secret)".utf8)))
                    + Array("<svg><script>\(secret)</script></svg>".utf8)
            ),
        ]
        try await StaffTests.run { shop in
            for (name, bytes) in files {
                let sizes =
                    try await PhotographTests.put(bytes, on: shop).expecting(200).decoded(MenuItemBody.self).photograph?
                    .sizes ?? []
                // The photograph with an orientation tag is 600 pixels wide when upright.
                #expect(sizes.map(\.width) == (name == "a camera's" ? [400, 600] : [400, 800]), "\(name)")
                for headers in [PhotographTests.browser, []] {
                    for size in sizes {
                        let bytes = Data(try await shop.server.get(size.url, headers: headers).expecting(200).body)
                        for word in [
                            "SECRET", "Exif", "EXIF", "XMP", "xmp", "ICC", "Photoshop", "script", "php", "Comment",
                        ] {
                            #expect(bytes.range(of: Data(word.utf8)) == nil, "\(name): \(word)")
                        }
                    }
                }
                guard name == "a camera's" else { continue }
                let upright = try await shop.server.get(sizes[1].url).body
                let top = try await TestPicture.colour(of: upright, 300, 20)
                let bottom = try await TestPicture.colour(of: upright, 300, 430)
                #expect(
                    top[0] > 200 && top[2] < 60 && bottom[0] < 60 && bottom[2] > 200,
                    "the colours are \(top) above \(bottom)")
            }
        }
    }
}
