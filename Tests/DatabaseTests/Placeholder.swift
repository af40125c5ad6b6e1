import Testing
import Database
