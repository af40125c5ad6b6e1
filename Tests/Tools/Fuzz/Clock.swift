// CPU time of the current thread, which does not depend on other load.

import Glibc

/// Returns the CPU time of the current thread in seconds.
func cpuTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
