#!/bin/bash
# The parts of the official image's entry point that compose.yaml needs. As root it gives the data to postgres and
# continues as that user. Without data it makes the cluster, the role and the database that the environment names,
# permits logins by password, and runs the files in /docker-entrypoint-initdb.d on a server that listens on its socket
# only. Then it starts the server.
set -Eeo pipefail
if [ "$1" != postgres ]; then exec "$@"; fi

mkdir -p "$PGDATA"
chmod 700 "$PGDATA" || true
if [ "$(id -u)" = 0 ]; then
    find "$PGDATA" /var/run/postgresql \! -user postgres -exec chown postgres {} +
    exec gosu postgres "$0" "$@"
fi

if [ ! -s "$PGDATA/PG_VERSION" ]; then
    : "${POSTGRES_USER:=postgres}" "${POSTGRES_DB:=$POSTGRES_USER}"
    if [ -z "$POSTGRES_PASSWORD" ] && [ "$POSTGRES_HOST_AUTH_METHOD" != trust ]; then
        echo 'POSTGRES_PASSWORD is missing' >&2
        exit 1
    fi
    eval "initdb --username='$POSTGRES_USER' --pwfile=<(echo '$POSTGRES_PASSWORD') $POSTGRES_INITDB_ARGS"
    method=${POSTGRES_HOST_AUTH_METHOD:-$(postgres -C password_encryption "${@:2}")}
    echo "host all all all $method" >> "$PGDATA/pg_hba.conf"
    export PGPASSWORD=$POSTGRES_PASSWORD
    pg_ctl --pgdata="$PGDATA" --wait --options="$(printf '%q ' "${@:2}" -c listen_addresses=)" start
    psql=(psql --no-psqlrc --no-password --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER")
    if [ "$POSTGRES_DB" != postgres ]; then
        "${psql[@]}" --dbname=postgres --set=db="$POSTGRES_DB" <<< 'create database :"db"'
    fi
    for file in /docker-entrypoint-initdb.d/*; do
        case "$file" in
            *.sh) if [ -x "$file" ]; then "$file"; else . "$file"; fi ;;
            *.sql) "${psql[@]}" --dbname="$POSTGRES_DB" --file="$file" ;;
        esac
    done
    pg_ctl --pgdata="$PGDATA" --wait --mode=fast stop
    unset PGPASSWORD
fi
exec "$@"
