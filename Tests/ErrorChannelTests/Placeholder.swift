import Testing
import ErrorChannel
