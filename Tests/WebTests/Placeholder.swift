import Testing
import Web
