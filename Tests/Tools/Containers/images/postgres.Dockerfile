# A substitute for postgres:17: PostgreSQL 17 with the official image's user, paths, defaults and signal.
FROM debian:trixie-slim
RUN groupadd --system --gid 999 postgres \
    && useradd --system --uid 999 --gid postgres --home-dir /var/lib/postgresql --shell /bin/bash postgres
RUN mkdir -p /etc/postgresql-common/createcluster.d \
    && echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.d/none.conf \
    && apt-get update -q && apt-get install -y -q --no-install-recommends gosu postgresql-17 \
    && rm -rf /var/lib/apt/lists/* \
    && sed -i "s/^#listen_addresses = .*/listen_addresses = '*'/" /usr/share/postgresql/17/postgresql.conf.sample \
    && grep -q "^listen_addresses = '\*'" /usr/share/postgresql/17/postgresql.conf.sample
ENV PATH=$PATH:/usr/lib/postgresql/17/bin PGDATA=/var/lib/postgresql/data LANG=C.UTF-8
RUN mkdir -p /docker-entrypoint-initdb.d && install -d -o postgres -g postgres -m 3777 /var/run/postgresql \
    && install -d -o postgres -g postgres -m 1777 "$PGDATA"
VOLUME /var/lib/postgresql/data
COPY --chmod=755 postgres-entrypoint.sh /usr/local/bin/docker-entrypoint.sh
STOPSIGNAL SIGINT
EXPOSE 5432
ENTRYPOINT ["docker-entrypoint.sh"]
CMD ["postgres"]
