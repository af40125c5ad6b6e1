// The settings with which jemalloc starts in every program that links this target.
// The environment variable MALLOC_CONF overrides them.
#include <jemalloc/jemalloc.h>

const char *malloc_conf = "narenas:2,dirty_decay_ms:1000";
