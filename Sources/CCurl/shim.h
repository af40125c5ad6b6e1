// libcurl for Mail, and Linux's eventfd, which Swift's Glibc module does not export.
// Swift cannot call variadic functions: one wrapper for each argument type of curl_easy_setopt and curl_easy_getinfo.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <sys/eventfd.h>

static inline CURLcode welms_curl_set_text(CURL *handle, CURLoption option, const char *text) {
    return curl_easy_setopt(handle, option, text);
}
static inline CURLcode welms_curl_set_number(CURL *handle, CURLoption option, long number) {
    return curl_easy_setopt(handle, option, number);
}
static inline CURLcode welms_curl_set_pointer(CURL *handle, CURLoption option, void *pointer) {
    return curl_easy_setopt(handle, option, pointer);
}
static inline CURLcode welms_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *list) {
    return curl_easy_setopt(handle, option, list);
}
static inline CURLcode welms_curl_set_mime(CURL *handle, curl_mime *mime) {
    return curl_easy_setopt(handle, CURLOPT_MIMEPOST, mime);
}
static inline CURLcode welms_curl_set_debug(CURL *handle, curl_debug_callback callback) {
    return curl_easy_setopt(handle, CURLOPT_DEBUGFUNCTION, callback);
}
static inline CURLcode welms_curl_set_write(CURL *handle, curl_write_callback callback) {
    return curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, callback);
}
static inline CURLcode welms_curl_set_progress(CURL *handle, curl_xferinfo_callback callback) {
    return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, callback);
}
static inline CURLcode welms_curl_get_number(CURL *handle, CURLINFO info, long *number) {
    return curl_easy_getinfo(handle, info, number);
}
