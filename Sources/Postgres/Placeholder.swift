import Logging
import ServiceLifecycle
import CLibPQ
