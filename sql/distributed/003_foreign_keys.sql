-- The foreign keys among distributed tables: the last file, for Citus takes them only between tables that are distributed already.

alter table order_steps add constraint order_step_has_an_order foreign key (order_id) references orders;
