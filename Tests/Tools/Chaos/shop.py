"""A shop for an experiment: a PostgreSQL cluster of its own and servers on it, in a directory that is gone at the end. Used by the experiments."""

import os

from guests import COUPONS
from processes import SEEDS, Cluster, Server, tail


class Shop:
    """`with Shop(scale) as shop:` shop.cluster runs, and shop.servers, which are ready. shop.server is the first."""

    template = None  # a cluster that is made once and copied

    def __init__(self, scale, servers=1, settings=(), port=5432, arguments=(), coupons=200, counted=False, url=None, data=None, wal=None):
        """`settings` and `port` are the cluster's, `arguments` the servers'; RUSH can be redeemed `coupons` times.
        `counted`: staff count what the guests order, one dish in all and the other each day, and there is enough of both.
        `url`: what the servers connect to instead of the cluster itself, as welms_server. `data`, `wal`: where the cluster and its log lie instead of in the directory."""
        self.directory = scale.new_directory()
        self.scale, self.coupons, self.counted, self.wal = scale, coupons, counted, wal
        self.cluster = Cluster(data or f"{self.directory}/data", settings, port)
        url = url or self.cluster.url_of("welms", "welms_server")
        self.servers = [Server(scale.server, url, f"{self.directory}/server{n}.log", arguments, owner=self.cluster.url) for n in range(servers)]

    @property
    def server(self):
        return self.servers[0]

    def __enter__(self):
        try:
            self.cluster.make(like=self.made(), wal=self.wal)
            self.cluster.start()
            self.cluster.sql("create database welms", database="postgres")
            for server in self.servers:
                server.start(*(SEEDS if server is self.server else ()))
            self.cluster.sql(COUPONS % self.coupons)
            if self.counted:
                self.cluster.sql("insert into item_stock (menu_item_id, remaining, per_day) values (2001, 1000000, null), (2003, null, 1000000)")
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

    def made(self):
        if Shop.template is None:
            # Experiments that run at the same time are different processes.
            template = Cluster(f"{self.scale.directory}/template-{os.getpid()}")
            template.make()
            Shop.template = template
        return Shop.template
