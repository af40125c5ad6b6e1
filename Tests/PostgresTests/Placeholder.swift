import Testing
import Postgres
