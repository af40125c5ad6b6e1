// The settings with which jemalloc starts, in every program that is linked with this target. MALLOC_CONF in the
// environment overrides them.
#include <jemalloc/jemalloc.h>

const char *malloc_conf = "narenas:2,dirty_decay_ms:1000";
