# A substitute for swift:6.3-bookworm: Debian 12 with the packages of the official image and this machine's toolchain.
# The machine's git configuration decides where dependencies come from.
FROM debian:bookworm-slim
RUN apt-get update -q && apt-get install -y -q --no-install-recommends binutils ca-certificates gcc git libc6-dev \
    libcurl4-openssl-dev libedit-dev libicu-dev libncurses-dev libpython3-dev libsqlite3-dev libstdc++-12-dev \
    libxml2-dev pkg-config tzdata uuid-dev && rm -rf /var/lib/apt/lists/*
COPY --from=toolchain . /usr
COPY --from=git . /
RUN swift --version
