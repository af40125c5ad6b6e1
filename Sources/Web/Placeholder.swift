import Hummingbird
import Database
import Wire
import ErrorChannel
