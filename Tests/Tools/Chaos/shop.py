"""The shop of an experiment: a separate PostgreSQL cluster and its servers, in a temporary directory."""

import os

from guests import COUPONS
from processes import SEEDS, Cluster, Server, tail


class Shop:
    """`with Shop(scale) as shop:` starts shop.cluster and shop.servers. shop.server is the first server."""

    template = None  # a cluster that is initialised once and copied for each shop

    def __init__(
        self,
        scale,
        servers=1,
        settings=(),
        port=5432,
        arguments=(),
        coupons=200,
        has_stock_counts=False,
        url=None,
        data=None,
        wal=None,
    ):
        """`settings` and `port` belong to the cluster, `arguments` to the servers. RUSH can be redeemed `coupons`
        times.

        `has_stock_counts`: the guests' dishes have ample stock counts, one in total and one per day.
        `url`: the database URL of the servers, if they do not connect to the cluster directly.
        `data`, `wal`: the directories of the cluster and of its write-ahead log, if not below the shop's directory."""
        self.directory = scale.new_directory()
        self.scale, self.coupons, self.has_stock_counts, self.wal = scale, coupons, has_stock_counts, wal
        self.cluster = Cluster(data or f"{self.directory}/data", settings, port)
        url = url or self.cluster.url_of("welms", "welms_server")
        self.servers = [
            Server(scale.server, url, f"{self.directory}/server{n}.log", arguments, owner=self.cluster.url)
            for n in range(servers)
        ]

    @property
    def server(self):
        return self.servers[0]

    def __enter__(self):
        try:
            self.cluster.make(like=self.template_cluster(), wal=self.wal)
            self.cluster.start()
            self.cluster.sql("create database welms", database="postgres")
            for server in self.servers:
                server.start(*(SEEDS if server is self.server else ()))
            self.cluster.sql(COUPONS % self.coupons)
            if self.has_stock_counts:
                self.cluster.sql(
                    "insert into item_stock (menu_item_id, remaining, per_day) values (2001, 1000000, null), (2003,"
                    " null, 1000000)"
                )
        except BaseException as error:
            self.__exit__(type(error))
            raise
        return self

    def __exit__(self, error, *_):
        for server in self.servers:
            if error and os.path.exists(server.log):
                print(f"the last lines of {server.log}:\n{tail(server.log)}")
            server.stop()
        self.cluster.stop()

    def template_cluster(self):
        if Shop.template is None:
            # Experiments that run at the same time are separate processes, so each process has its own template.
            template = Cluster(f"{self.scale.directory}/template-{os.getpid()}")
            template.make()
            Shop.template = template
        return Shop.template
