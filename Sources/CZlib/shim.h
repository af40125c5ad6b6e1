// zlib, with which Web compresses responses.
#include <zlib.h>
