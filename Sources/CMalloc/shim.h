// The C that sets how glibc hands out memory.
#include <malloc.h>
