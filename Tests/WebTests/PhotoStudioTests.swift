// Tests the limits of image processing with scripts in the place of libvips, and the parser of image headers.

import Foundation
import TestBasics
import Support
import Testing

@testable import Photographs

@Suite("Image processing", .timeLimit(.minutes(2)))
struct PhotoStudioTests {
    private static let limits = ImageProcess.Limits(
        time: .seconds(20), processorSeconds: 1, memory: 64 << 20, fileSize: 1 << 20)

    /// The rejection of a photograph when the script runs in the place of libvips.
    private static func refusal(of script: String, _ limits: ImageProcess.Limits = limits) async throws
        -> PhotographError?
    {
        try await withStandIn(script, limits) { studio, _ -> PhotographError? in
            do throws(PhotographError) {
                _ = try await studio.process(TestPicture.png(4, 3))
                return nil
            } catch {
                return error
            }
        }
    }

    private static func withStandIn<Value>(
        _ script: String, _ limits: ImageProcess.Limits, _ body: (PhotoProcessor, String) async throws -> Value
    ) async throws -> Value {
        try await TemporaryDirectory.with { directory in
            let path = "\(directory)/vips"
            try Data("#!/bin/sh\n\(script.replacing("HERE", with: directory))\n".utf8).write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
            return try await body(PhotoProcessor(program: path, limits: limits), directory)
        }
    }

    @Test("A decoder that hangs is killed with its child processes, and its directory is deleted")
    func hangs() async throws {
        var short = Self.limits
        short.time = .milliseconds(300)
        try await Self.withStandIn(
            "pwd > HERE/place; sleep 1000 & echo $! > HERE/child; echo $$ > HERE/own; wait", short
        ) {
            studio, directory in
            await #expect(throws: PhotographError.resourceLimitExceeded) {
                try await studio.process(TestPicture.png(4, 3))
            }
            func text(_ file: String) throws -> String {
                try String(contentsOfFile: "\(directory)/\(file)", encoding: .utf8).trimmingCharacters(
                    in: .whitespacesAndNewlines)
            }
            for file in ["own", "child"] {
                let process = try #require(Int32(try text(file)))
                try await eventually("the process in \(file) has ended") { Self.hasEnded(process) }
            }
            #expect(!FileManager.default.fileExists(atPath: try text("place")))
        }
    }

    /// Whether the process is gone, or a zombie that its parent has not reaped.
    private static func hasEnded(_ process: Int32) -> Bool {
        guard let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return true }
        return state.contains(") Z ")
    }

    @Test("A decoder that uses too much memory, time or disk is stopped at its limit")
    func resourceLimits() async throws {
        let eater = #"perl -e '$x = "a" x 100_000_000; open F, ">", "HERE/ate"'; test -e HERE/ate && exit 0; exit 1"#
        let memory = try await Self.refusal(of: eater)
        #expect(memory == .unreadable, "perl could not allocate the memory")
        #expect(try await Self.refusal(of: "while :; do :; done") == .resourceLimitExceeded)
        let writer =
            "head -c 9000000 /dev/zero > upright.png; "
            + "test $(stat -c %s upright.png) -gt 1048576 && exit 0; exit 1"
        let disk = try await Self.refusal(of: writer)
        #expect(disk == .unreadable, "at most a megabyte was written")
    }

    @Test("A program that fails, writes no picture or is missing stores no photograph")
    func failingPrograms() async throws {
        guard case .failed? = try await Self.refusal(of: "exit 0") else {
            return #expect(Bool(false), "the program wrote no file")
        }
        #expect(try await Self.refusal(of: "echo this is no picture > upright.png") == .unreadable)
        #expect(try await Self.refusal(of: "kill -SEGV $$") == .unreadable)
        let missing = PhotoProcessor(program: "/nowhere/vips")
        #expect(!missing.isReady)
        await #expect(throws: PhotographError.libvipsMissing) { try await missing.process(TestPicture.png(4, 3)) }
    }

    @Test("The program gets a fixed environment, in which libvips blocks unsafe loaders")
    func environment() async throws {
        try await Self.withStandIn("env > HERE/env; exit 1", Self.limits) { studio, directory in
            await #expect(throws: PhotographError.unreadable) { try await studio.process(TestPicture.png(4, 3)) }
            let lines = try String(contentsOfFile: "\(directory)/env", encoding: .utf8).split(separator: "\n")
            let names = Set(lines.map { $0.prefix { $0 != "=" } })
            let given: Set<Substring> = [
                "PATH", "HOME", "TMPDIR", "LC_ALL", "VIPS_BLOCK_UNTRUSTED", "VIPS_CONCURRENCY", "VIPS_DISC_THRESHOLD",
                "MALLOC_ARENA_MAX",
            ]
            #expect(names.subtracting(["PWD", "OLDPWD", "SHLVL", "_"]) == given)
            #expect(lines.contains("VIPS_BLOCK_UNTRUSTED=1"))
        }
    }

    @Test("One photograph is processed at a time, three wait, and further ones are rejected as busy")
    func concurrency() async throws {
        let script =
            "mkdir HERE/busy || touch HERE/two; while ! test -e HERE/go; do sleep 0.02; done; "
            + "rmdir HERE/busy; exit 1"
        try await Self.withStandIn(script, Self.limits) { studio, directory in
            let refusals = await withTaskGroup(of: PhotographError?.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        do throws(PhotographError) {
                            _ = try await studio.process(TestPicture.png(4, 3))
                            return nil
                        } catch {
                            return error
                        }
                    }
                }
                var refusals: [PhotographError?] = []
                while let refusal = await group.next() {
                    refusals.append(refusal)
                    if refusals.count == 4 {
                        _ = FileManager.default.createFile(atPath: "\(directory)/go", contents: nil)
                    }
                }
                return refusals
            }
            #expect(refusals == [.busy, .busy, .busy, .busy, .unreadable, .unreadable, .unreadable, .unreadable])
            #expect(
                !FileManager.default.fileExists(atPath: "\(directory)/two"), "two programs never run at the same time")
        }
    }

    @Test("Grey, transparent and 16-bit pictures are converted, and transparent pixels become white")
    func pixelFormats() async throws {
        let studio = PhotoProcessor()
        func convertedColour(_ colour: UInt8, _ depth: UInt8, pixel: [UInt8]) async throws -> [Int] {
            let row: [UInt8] = [0] + Array(repeatElement(pixel, count: 400).joined())
            let pixels: [UInt8] = Array(repeatElement(row, count: 300).joined())
            var png = TestPicture.pngHead(400, 300, depth: depth, colour: colour)
            png += TestPicture.chunk("IDAT", TestPicture.deflated(pixels)) + TestPicture.chunk("IEND", [])
            let files = try await studio.process(png).files
            #expect(files.map(\.width) == [400, 400] && files.map(\.format) == [.jpeg, .webp])
            return try await TestPicture.colour(of: files[0].bytes, 100, 100)
        }
        #expect(try await convertedColour(0, 8, pixel: [100]).allSatisfy { (95...105).contains($0) })
        #expect(try await convertedColour(6, 8, pixel: [0, 0, 0, 0]).allSatisfy { $0 > 250 })
        #expect(try await convertedColour(4, 8, pixel: [0, 0]).allSatisfy { $0 > 250 })
        let deep = try await convertedColour(2, 16, pixel: [255, 255, 0, 0, 0, 0])
        #expect(deep[0] > 240 && deep[1] < 40)
    }

    @Test("The header parser never traps, for truncated and for modified files")
    func headerParser() async throws {
        let png = TestPicture.png(40, 30)
        let files = [
            png, try await TestPicture.converted(png, to: "jpg"), try await TestPicture.converted(png, to: "webp"),
        ]
        var random = SeededRandom()
        for file in files {
            let kind = try #require(ImageHeader.kind(of: file))
            let head = try #require(ImageHeader(kind, file))
            #expect(head.width == 40 && head.height == 30)
            for length in 0..<min(file.count, 700) {
                let part = Array(file.prefix(length))
                if let kind = ImageHeader.kind(of: part) { _ = ImageHeader(kind, part) }
            }
            for _ in 0..<2000 {
                var other = Array(file.prefix(700))
                for _ in 0..<4 {
                    let position = Int.random(in: 12..<min(other.count, 64), using: &random)
                    other[position] = UInt8.random(in: 0...255, using: &random)
                }
                if let head = ImageHeader(kind, other) { #expect(head.width > 0 && head.height > 0) }
            }
        }
    }
}
