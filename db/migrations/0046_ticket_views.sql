-- Lists of tickets that somebody keeps under a name: their own, or shared with who works in a queue, or with the company.
-- `filter` is the list's filter as data. One that was removed can be brought back for a while. A view whose queue is gone
-- stays for those who lead: its `queue_id` is null.
create table ticket_views (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  name text not null,
  filter jsonb not null default '{}',
  audience text not null default 'person' check (audience in ('person', 'queue', 'company')),
  queue_id bigint,
  user_id bigint,
  position int not null,
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, queue_id) references queues (tenant_id, id) on delete set null (queue_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete set null (user_id)
);
create index ticket_views_user on ticket_views (tenant_id, user_id);
create index ticket_views_queue on ticket_views (tenant_id, queue_id);

select app.protect('ticket_views');

-- Who waits for an answer, in the order of the lists: for how long is read in the index, not in the table.
create index tickets_waiting on tickets (tenant_id, updated_at desc, id desc, waiting_since) where waiting_since is not null;
