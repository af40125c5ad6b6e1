// The C that the Postgres target is written on: libpq, and Linux's eventfd, which Swift's Glibc module leaves out.
#include <libpq-fe.h>
#include <sys/eventfd.h>
