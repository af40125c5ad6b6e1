# A substitute for haproxy:3.0-alpine: HAProxy 3.0 with the official image's user, paths, entry point and signal, and
# wget.
FROM debian:trixie-slim
RUN apt-get update -q && apt-get install -y -q --no-install-recommends busybox haproxy && rm -rf /var/lib/apt/lists/* \
    && groupmod --gid 99 haproxy && usermod --uid 99 haproxy && chown -R haproxy:haproxy /var/lib/haproxy \
    && ln -s /bin/busybox /usr/local/bin/wget && mkdir -p /usr/local/etc/haproxy && haproxy -v | grep 'version 3\.0\.'
COPY --chmod=755 <<'EOF' /usr/local/bin/docker-entrypoint.sh
#!/bin/sh
set -e
case "$1" in -*) set -- haproxy "$@" ;; esac
if [ "$1" = haproxy ]; then shift; set -- haproxy -W -db "$@"; fi
exec "$@"
EOF
STOPSIGNAL SIGUSR1
USER haproxy
WORKDIR /var/lib/haproxy
ENTRYPOINT ["docker-entrypoint.sh"]
CMD ["haproxy", "-f", "/usr/local/etc/haproxy/haproxy.cfg"]
