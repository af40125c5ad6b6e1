import Logging
import Subprocess
