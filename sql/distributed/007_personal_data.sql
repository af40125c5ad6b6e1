-- Replacing personal data on a Citus cluster. The walk reads the orders of all shards, and the shard of each later
-- statement depends on its values: Citus rejects the generic plans of the server's sessions.

alter function prune_personal_data(integer) set plan_cache_mode = force_custom_plan;
