// The floor of a checkout in PostgreSQL (limit.py): one session writes batches of orders. Each batch is one call of
// write_orders (reference.sql) with one binary parameter, and one transaction.
//
//   floor CONNECTION FILE       FILE is a binary COPY of one column of type new_order[]
//
// Prints the duration of each batch in µs. No tool of Debian sends binary parameters: pgbench sends text.
#include <libpq-fe.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { HEADER = 19, END = 0xffff };  // of a COPY: the length of its header, and the column count that ends it

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000ll + t.tv_nsec / 1000;
}

static void fail(const char *what) {
    fprintf(stderr, "floor: %s\n", what);
    exit(1);
}

static uint32_t number(FILE *file, int bytes) {
    uint32_t value = 0;
    while (bytes--) value = value << 8 | (uint8_t)getc(file);
    return value;
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    FILE *file = fopen(argv[2], "rb");
    if (!file || fseek(file, HEADER, SEEK_SET)) fail(argv[2]);
    PGconn *session = PQconnectdb(argv[1]);
    PGresult *result = PQprepare(session, "write", "select reference.write_orders('USD', $1)", 0, NULL);
    if (PQresultStatus(result) != PGRES_COMMAND_OK) fail(PQerrorMessage(session));
    PQclear(result);
    char *batch = NULL;
    while (number(file, 2) != END) {
        int length = number(file, 4);
        if (length <= 0 || !(batch = realloc(batch, length)) || fread(batch, length, 1, file) != 1) fail(argv[2]);
        const char *values[] = {batch};
        int64_t begin = now();
        result = PQexecPrepared(session, "write", 1, values, &length, (int[]){1}, 1);
        if (PQresultStatus(result) != PGRES_TUPLES_OK) fail(PQerrorMessage(session));
        printf("%lld\n", (long long)(now() - begin));
        PQclear(result);
    }
    PQfinish(session);
}
