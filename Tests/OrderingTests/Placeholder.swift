import Testing
import Ordering
