// A library for LD_PRELOAD that changes the wall clock of a process. The file CLOCK_FILE contains two 64-bit integers:
// the mode (0 real time, 1 real time plus an offset, 2 a fixed time) and microseconds. The monotonic clock, which
// measures timeouts, stays real.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>

static volatile int64_t *clock_file;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("CLOCK_FILE");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    void *memory = file < 0 ? MAP_FAILED : mmap(0, 16, PROT_READ, MAP_SHARED, file, 0);
    if (memory != MAP_FAILED) clock_file = memory;
}

static int64_t changed(int64_t microseconds) {
    if (!clock_file || clock_file[0] == 0) return microseconds;
    return clock_file[0] == 1 ? microseconds + clock_file[1] : clock_file[1];
}

int clock_gettime(clockid_t which, struct timespec *at) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(which, at);
    if (result == 0 && (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE)) {
        int64_t microseconds = changed(at->tv_sec * INT64_C(1000000) + at->tv_nsec / 1000);
        at->tv_sec = microseconds / 1000000;
        at->tv_nsec = microseconds % 1000000 * 1000;
    }
    return result;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone) {
    struct timespec now;
    if (zone) *(struct timezone *)zone = (struct timezone){0, 0};
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
    *at = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *at) {
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
    if (at) *at = now.tv_sec;
    return now.tv_sec;
}
