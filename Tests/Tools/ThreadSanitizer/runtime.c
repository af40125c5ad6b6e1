// Tells ThreadSanitizer about Swift's Mutex and its continuations. Used by `make test-tsan` alone, as a library loaded before all others.
//
// On Linux a contended Mutex is taken inside libswiftSynchronization.so (a futex), which is not compiled for the sanitizer:
// it never learns who waited for whom, and reports a race for every value that a Mutex guards (Swift 6.3; a program of two threads
// and one Mutex is enough). A task whose continuation is resumed before it gets to wait goes on at once, and the runtime tells of that way alone
// nothing (swift_continuation_await in its Task.cpp): then the task writes where the other thread has read. What follows stands before the
// libraries' functions, says what they do, and calls them. No report is suppressed.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

// There in the tests' own process; absent in swift, psql and whatever else inherits the environment.
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
