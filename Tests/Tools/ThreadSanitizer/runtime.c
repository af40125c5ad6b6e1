// Reports the synchronisation of Swift's Mutex and continuations to ThreadSanitizer. `make test-tsan` preloads this
// library.
//
// On Linux, libswiftSynchronization.so locks a contended Mutex with a futex. The library is not compiled for the
// sanitizer, so the sanitizer reports a race for each value that a Mutex guards (Swift 6.3; two threads and one Mutex
// suffice). If a continuation is resumed before its task awaits it, the task continues at once, and the runtime does
// not report that case (swift_continuation_await in Task.cpp). The functions below wrap those of the libraries and
// report the missing edges. No report is suppressed.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

// Present in the test program only, not in other processes that inherit the environment, such as swift or psql.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

SWIFT void lock_slow(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT void unlock_slow(SELF void *mutex) __asm__(UNLOCK);

SWIFT void lock_slow(uint32_t thread, SELF void *mutex) {
    SWIFT void (*original)(uint32_t, SELF void *) = dlsym(RTLD_NEXT, LOCK);
    original(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT void unlock_slow(SELF void *mutex) {
    SWIFT void (*original)(SELF void *) = dlsym(RTLD_NEXT, UNLOCK);
    if (__tsan_release) __tsan_release(mutex);
    original(mutex);
}

#define RESUME "swift_continuation_resume"
#define AWAIT "swift_continuation_await"
#define ASYNC __attribute__((swiftasynccall))

extern void *swift_task_getCurrent(void) __attribute__((weak, swiftcall));

SWIFT void continuation_resume(void *task) __asm__(RESUME);
ASYNC void continuation_await(void *context) __asm__(AWAIT);

SWIFT void continuation_resume(void *task) {
    SWIFT void (*original)(void *) = dlsym(RTLD_NEXT, RESUME);
    if (__tsan_release) __tsan_release(task);
    original(task);
}

ASYNC void continuation_await(void *context) {
    ASYNC void (*original)(void *) = dlsym(RTLD_NEXT, AWAIT);
    if (__tsan_acquire) __tsan_acquire(swift_task_getCurrent());
    __attribute__((musttail)) return original(context);
}
