// libpq for Postgres, and Linux's eventfd, which Swift's Glibc module does not export.
#include <libpq-fe.h>
#include <sys/eventfd.h>
