-- Who changed a ticket last, when, and how often it was changed: messages and reading do not count. An undo compares the
-- number and says the name (decision 0032).
alter table tickets
  add column revision int not null default 0,
  add column changed_by bigint,
  add column changed_at timestamptz,
  add foreign key (tenant_id, changed_by) references users (tenant_id, id) on delete set null (changed_by);
create index tickets_changed_by on tickets (tenant_id, changed_by) where changed_by is not null;

-- One action on many records of one kind; `missing`: what was asked for and is not there for who asked.
create table bulk_operations (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id uuid not null,
  kind text not null,
  action text not null,
  args jsonb not null default '{}',
  user_id bigint,
  status text not null default 'running' check (status in ('running', 'paused', 'canceled', 'done', 'undoing', 'undone')),
  total int not null,
  missing bigint[] not null default '{}',
  undo_until timestamptz,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete set null (user_id)
);
create index bulk_operations_user on bulk_operations (tenant_id, user_id, created_at desc);
create index bulk_operations_old on bulk_operations (tenant_id, created_at);

-- Its records, in the order in which they were chosen. `before` and `after` hold what can be taken back; `is_final`: what
-- the customer notices of it has happened.
create table bulk_items (
  tenant_id bigint not null,
  operation_id uuid not null,
  position int not null,
  subject_id bigint not null,
  status text not null default 'waiting' check (status in ('waiting', 'done', 'same', 'refused', 'restored', 'kept')),
  code text,
  before jsonb,
  after jsonb,
  changed_by bigint,
  changed_at timestamptz,
  is_final boolean not null default false,
  primary key (tenant_id, operation_id, position),
  foreign key (tenant_id, operation_id) references bulk_operations (tenant_id, id) on delete cascade
);

select app.protect('bulk_operations');
select app.protect('bulk_items');
