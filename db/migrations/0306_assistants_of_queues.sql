-- Which assistant answers what is for a queue, in the place of the connection's.
create table queue_assistants (
  tenant_id bigint not null,
  queue_id bigint not null,
  account_id bigint,
  updated_at timestamptz not null,
  primary key (tenant_id, queue_id),
  foreign key (tenant_id, queue_id) references queues (tenant_id, id) on delete cascade,
  foreign key (tenant_id, account_id) references provider_settings (tenant_id, id) on delete set null (account_id)
);
create index queue_assistants_account on queue_assistants (tenant_id, account_id) where account_id is not null;
select app.protect('queue_assistants');
