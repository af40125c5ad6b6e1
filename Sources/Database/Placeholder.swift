import Ordering
import Postgres
import Crypto
