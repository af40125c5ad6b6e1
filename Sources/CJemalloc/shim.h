// The header of jemalloc. Its malloc and free replace glibc's in every program that links it.
#include <jemalloc/jemalloc.h>
