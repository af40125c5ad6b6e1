// The C that Web compresses answers with: zlib.
#include <zlib.h>
