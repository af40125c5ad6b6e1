-- Foreign keys between distributed tables. Citus accepts them only after both tables are distributed.

select not exists (select from pg_constraint where conname = 'order_step_has_an_order') as is_missing \gset
\if :is_missing
alter table order_steps add constraint order_step_has_an_order foreign key (order_id) references orders;
\endif
