// The C header of jemalloc. Its malloc and free replace glibc's in every program that is linked with it.
#include <jemalloc/jemalloc.h>
