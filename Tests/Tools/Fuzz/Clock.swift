// The time that this thread has used: a busy machine does not count. Used by requireLinear.

import Glibc

/// Seconds of this thread's work.
func cpuTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
