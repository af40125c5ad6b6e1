// The C that Digests is made with: OpenSSL's libcrypto.
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>
