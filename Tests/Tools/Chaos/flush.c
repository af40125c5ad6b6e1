// A library for LD_PRELOAD that delays each flush of PostgreSQL's write-ahead log, like a distant synchronous standby.
// The file FLUSH_FILE contains the delay in microseconds, a 64-bit integer. Flushes of other files are not delayed.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t *delay;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("FLUSH_FILE");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    void *memory = file < 0 ? MAP_FAILED : mmap(0, 8, PROT_READ, MAP_SHARED, file, 0);
    if (memory != MAP_FAILED) delay = memory;
    if (file >= 0) close(file);
}

static int is_log(int file) {
    char link[32], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return strstr(path, "/pg_wal/") != 0;
}

static void wait_before(int file) {
    int64_t microseconds = delay ? *delay : 0;
    if (microseconds <= 0 || !is_log(file)) return;
    struct timespec rest = {microseconds / 1000000, microseconds % 1000000 * 1000};
    // A signal interrupts the sleep.
    while (nanosleep(&rest, &rest) != 0 && errno == EINTR) {}
}

int fsync(int file) {
    static int (*real)(int);
    if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    wait_before(file);
    return real(file);
}

int fdatasync(int file) {
    static int (*real)(int);
    if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
    wait_before(file);
    return real(file);
}
