-- Foreign keys between distributed tables. Citus accepts them only after both tables are distributed.

alter table order_steps add constraint order_step_has_an_order foreign key (order_id) references orders;
