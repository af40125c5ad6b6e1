// The load generator of `make bench`: HTTP/1.1 over persistent connections, one thread, epoll.
//
// Closed loop: each connection sends its next request after the previous answer. Open loop (-r): requests are due at a
// fixed rate, and latencies count from the due time, so that the delays of a stalled server are visible (no coordinated
// omission). Every sent request is awaited and counted, so the 201 answers can be compared with the rows in the
// database. Percentiles are computed from all latencies, not from a histogram. No tool of Debian offers both a body per
// request and a fixed rate: wrk has no fixed rate, and hey cannot read bodies from a file.
//
//   load -p PORT -c CONNECTIONS [-t SECONDS] [-r RATE] (-g PATH [-H HEADER] | -f FILE | -w FILE [-o FILE] [-i ITEMS])
//   -g  GETs one path      -f  POSTs /v1/checkout for each line "KEY<tab>BODY" of a file, each once
//   -w  runs an order flow for each line: basket, 3 items, increment, coupon, checkout. A line is the form after its
//       basketId: "KEY<tab>,"name":...". Latencies are per request. A flow counts when its order is placed.
//   -o  ends each flow before its coupon, and writes its checkout to a file for -f
//   -i  the three items of a flow, as in 1002,3001,4001; the shop adds their default options
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { ANSWER_LIMIT = 1 << 16, FLOW_STEPS = 7 };

struct connection {
    int socket, length, sent, busy, step;
    int64_t due, start;
    char *key, *form;                 // the current line of the file
    char basket[37], total[24];       // from the answers of the flow
    char request[4096];
    int requestLength;
    char answer[ANSWER_LIMIT];
};

static const char *path, *header = "";
static char *line, *end;              // the unread part of the file
static int isFlow, steps = FLOW_STEPS, port, poller;
static FILE *checkouts;               // the output file of -o
static const char *items[] = {"1002", "3001", "4001"};  // of a flow
static int64_t statuses[600], dropped, answerBytes;
static uint32_t *good, *bad, *badSent;  // latencies in µs: successes since due, failures since due and since sent
static int64_t goodCount, badCount, capacity, flows, noRetryAfter;

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000ll + t.tv_nsec / 1000;
}

static void fail(const char *what) {
    fprintf(stderr, "load: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void connectTo(struct connection *c) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    c->socket = socket(AF_INET, SOCK_STREAM, 0);
    if (c->socket < 0 || connect(c->socket, (struct sockaddr *)&address, sizeof address)) fail("connect");
    int yes = 1;
    setsockopt(c->socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    fcntl(c->socket, F_SETFL, O_NONBLOCK);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, c->socket, &event)) fail("epoll");
    c->length = c->busy = c->step = 0;
}

// Takes the next line of the file. Returns 0 at its end.
static int nextLine(struct connection *c) {
    if (line >= end) return 0;
    char *stop = memchr(line, '\n', end - line), *tab = memchr(line, '\t', end - line);
    if (!stop || !tab || tab > stop) return 0;
    *stop = *tab = 0;
    c->key = line;
    c->form = tab + 1;
    line = stop + 1;
    return 1;
}

// `target` has places for the basket and an item.
static void post(struct connection *c, const char *target, const char *item, const char *body) {
    char full[256];
    snprintf(full, sizeof full, target, c->basket, item);
    c->requestLength = snprintf(
        c->request, sizeof c->request,
        "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        "Idempotency-Key: %s\r\nContent-Length: %zu\r\n\r\n%s",
        full, c->key, strlen(body), body);
}

// Writes the next request. Returns 0 after the last line of the input.
static int prepare(struct connection *c) {
    char body[2048];
    if (path) {
        if (!c->requestLength)
            c->requestLength = snprintf(
                c->request, sizeof c->request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n%s\r\n", path, header);
        return 1;
    }
    if (!isFlow) {
        if (!nextLine(c)) return 0;
        post(c, "/v1/checkout", "", c->form);
        return 1;
    }
    if (c->step == 0 && !nextLine(c)) return 0;
    switch (c->step) {
    case 0: post(c, "/v1/baskets", "", ""); break;
    case 1: case 2: case 3:
        snprintf(
            body, sizeof body, "{\"menuItemId\":%s,\"quantity\":%d}", items[c->step - 1], c->step == 2 ? 2 : 1);
        post(c, "/v1/baskets/%s/items", "", body);
        break;
    case 4: post(c, "/v1/baskets/%s/items/%s/increment", items[0], ""); break;
    default:
        snprintf(body, sizeof body, "{\"basketId\":\"%s\",\"expectedTotal\":%s%s", c->basket, c->total, c->form);
        post(c, c->step == 5 ? "/v1/checkout/validate" : "/v1/checkout", "", body);
    }
    return 1;
}

static int ask(struct connection *c, int64_t due) {
    if (!prepare(c)) return 0;
    c->busy = 1;
    c->start = now();
    c->due = due ? due : c->start;
    ssize_t sent = send(c->socket, c->request, c->requestLength, MSG_NOSIGNAL);
    if (sent != c->requestLength) { dropped++; close(c->socket); connectTo(c); }
    return 1;
}

static char *headerValue(struct connection *c, char *stop, const char *name) {
    char kept = *stop;
    *stop = 0;
    char *found = strcasestr(c->answer, name);
    *stop = kept;
    return found ? found + strlen(name) : NULL;
}

// Reads from the socket. Returns 1 if the answer is complete, -1 if the connection was lost.
static int take(struct connection *c) {
    ssize_t received = recv(c->socket, c->answer + c->length, ANSWER_LIMIT - 1 - c->length, 0);
    if (received < 0 && errno == EAGAIN) return 0;
    if (received <= 0) {
        if (c->busy) dropped++;
        close(c->socket);
        connectTo(c);
        return -1;
    }
    c->length += received;
    c->answer[c->length] = 0;
    char *body = strstr(c->answer, "\r\n\r\n");
    if (!body) return 0;
    int status = atoi(c->answer + 9);
    char *length = headerValue(c, body, "\r\ncontent-length:");
    int complete = (int)(body + 4 - c->answer) + (length && status != 304 ? atoi(length) : 0);
    if (c->length < complete) return 0;

    int64_t end = now();
    answerBytes += complete;
    statuses[status < 600 ? status : 0]++;
    if (goodCount + badCount >= capacity) {
        capacity = capacity ? capacity * 2 : 1 << 20;
        good = realloc(good, capacity * 4);
        bad = realloc(bad, capacity * 4);
        badSent = realloc(badSent, capacity * 4);
    }
    int isGood = status / 100 == 2 || status == 304;
    if (isGood) good[goodCount++] = end - c->due;
    else {
        if (status == 503 && !headerValue(c, body, "\r\nretry-after:")) noRetryAfter++;
        if (!badCount) fprintf(stderr, "load: the first failure: %s\n", body + 4);
        badSent[badCount] = end - c->start;
        bad[badCount++] = end - c->due;
    }
    if (isFlow) {
        char *id = strstr(body, "\"id\":\""), *count = strstr(body, "\"totalCount\":");
        if (c->step == 0 && id) memcpy(c->basket, id + 6, 36);
        if (count && (count = strstr(count, "\"total\":")))
            snprintf(c->total, sizeof c->total, "%lld", atoll(count + 8));
        if (c->step == FLOW_STEPS - 1 && status == 201) flows++;
        c->step = isGood ? (c->step + 1) % steps : 0;
        if (checkouts && isGood && c->step == 0)
            fprintf(checkouts, "%s\t{\"basketId\":\"%s\",\"expectedTotal\":%s%s\n", c->key, c->basket, c->total,
                    c->form);
    }
    c->length = c->busy = 0;
    return 1;
}

static int ascending(const void *a, const void *b) {
    uint32_t x = *(uint32_t *)a, y = *(uint32_t *)b;
    return x < y ? -1 : x > y;
}

static void percentiles(const char *name, uint32_t *list, int64_t count) {
    qsort(list, count, sizeof *list, ascending);
    double parts[] = {0.5, 0.99, 0.999, 1};
    printf(",\"%s\":[", name);
    for (int i = 0; i < 4; i++)
        printf("%s%u", i ? "," : "", count ? list[(int64_t)(parts[i] * (count - 1))] : 0);
    printf("]");
}

int main(int argc, char **argv) {
    int connections = 1, option;
    double seconds = 1e6, rate = 0;
    const char *file = NULL;
    while ((option = getopt(argc, argv, "p:c:t:r:g:H:f:w:o:i:")) != -1) switch (option) {
        case 'p': port = atoi(optarg); break;
        case 'c': connections = atoi(optarg); break;
        case 't': seconds = atof(optarg); break;
        case 'r': rate = atof(optarg); break;
        case 'g': path = optarg; break;
        case 'H': if (asprintf((char **)&header, "%s\r\n", optarg) < 0) fail("memory"); break;
        case 'w': isFlow = 1;  // fall through
        case 'f': file = optarg; break;
        case 'o': steps = 5; if (!(checkouts = fopen(optarg, "w"))) fail(optarg); break;
        case 'i': for (int i = 0; i < 3; i++) items[i] = strtok(i ? NULL : optarg, ","); break;
        default: return 2;
    }
    if (file) {
        int f = open(file, O_RDONLY);
        struct stat status;
        if (f < 0 || fstat(f, &status)) fail(file);
        line = malloc(status.st_size + 1);
        for (end = line; end < line + status.st_size;) {
            ssize_t received = read(f, end, line + status.st_size - end);
            if (received <= 0) fail(file);
            end += received;
        }
    }
    poller = epoll_create1(0);
    struct connection *all = calloc(connections, sizeof *all), **idle = calloc(connections, sizeof *idle);
    for (int i = 0; i < connections; i++) connectTo(&all[i]);

    int64_t begin = now(), stop = begin + (int64_t)(seconds * 1e6), sent = 0, last = begin;
    int free = 0, busy = 0, isOver = 0;
    for (int i = 0; i < connections; i++) idle[free++] = &all[i];
    struct epoll_event events[256];
    while (1) {
        int64_t time = now();
        if (time >= stop) isOver = 1;
        // In the open loop, requests that were due before the end are still sent.
        while (free && (rate ? begin + (int64_t)(sent * 1e6 / rate) <= (time < stop ? time : stop) : !isOver)) {
            int64_t due = rate ? begin + (int64_t)(sent * 1e6 / rate) : 0;
            if (!ask(idle[free - 1], due)) { isOver = 1; rate = 0; break; }
            sent++; free--; busy++;
        }
        if (isOver && !busy) break;
        if (time > stop + 10000000) break;
        struct timespec wait = {1, 0};
        if (rate && free && !isOver) {
            int64_t next = begin + (int64_t)(sent * 1e6 / rate) - now();
            wait = (struct timespec){0, next < 0 ? 0 : (next < 900000 ? next : 900000) * 1000};
        }
        int count = epoll_pwait2(poller, events, 256, &wait, NULL);
        for (int i = 0; i < count; i++) {
            struct connection *c = events[i].data.ptr;
            int wasBusy = c->busy, complete = take(c);
            if (complete == 0 || !wasBusy) continue;
            last = now();
            // A flow continues to its end. In the closed loop the connection sends the next request.
            if (complete == 1 && !rate && (!isOver || (isFlow && c->step > 0)) && ask(c, 0)) { sent++; continue; }
            busy--;
            idle[free++] = c;
        }
    }
    if (checkouts && fclose(checkouts)) fail("the checkouts");
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("{\"sent\":%lld,\"answers\":%lld,\"ways\":%lld,\"dropped\":%lld,\"unanswered\":%d,"
           "\"noRetryAfter\":%lld,\"bytes\":%lld,\"seconds\":%.6f,\"cpu\":%.3f",
           (long long)sent, (long long)(goodCount + badCount), (long long)flows, (long long)dropped, busy,
           (long long)noRetryAfter, (long long)answerBytes, (last - begin) / 1e6,
           usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6);
    percentiles("good", good, goodCount);
    percentiles("bad", bad, badCount);
    percentiles("badSinceSent", badSent, badCount);
    printf(",\"statuses\":{");
    for (int i = 0, first = 1; i < 600; i++)
        if (statuses[i]) { printf("%s\"%d\":%lld", first ? "" : ",", i, (long long)statuses[i]); first = 0; }
    printf("}}\n");
}
