import ArgumentParser
import Configuration
import Web
@main struct Welms: ParsableCommand { func run() { print("hi") } }
