-- Lists of actions on a ticket that somebody keeps under a name: their own, or shared with who works in a queue, or with the
-- company. `actions` is the list as data. A macro whose queue is gone stays for those who lead: its `queue_id` is null.
create table macros (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  name text not null,
  color text not null,
  audience text not null default 'company' check (audience in ('person', 'queue', 'company')),
  queue_id bigint,
  user_id bigint,
  actions jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, queue_id) references queues (tenant_id, id) on delete set null (queue_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete set null (user_id)
);
create index macros_user on macros (tenant_id, user_id);
create index macros_queue on macros (tenant_id, queue_id);

select app.protect('macros');

-- What an operation on tickets wrote into them: notes, and texts that wait until it cannot be taken back any more.
create table bulk_messages (
  tenant_id bigint not null,
  operation_id uuid not null,
  ticket_id bigint not null,
  message_id uuid not null,
  primary key (tenant_id, message_id),
  foreign key (tenant_id, operation_id) references bulk_operations (tenant_id, id) on delete cascade,
  foreign key (tenant_id, message_id) references messages (tenant_id, id) on delete cascade
);
create index bulk_messages_operation on bulk_messages (tenant_id, operation_id);
create index bulk_messages_ticket on bulk_messages (tenant_id, ticket_id);

select app.protect('bulk_messages');
