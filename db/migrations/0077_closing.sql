-- Why attendances end ("demandas"), and the texts with which people end them.
create table reasons (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  name text not null check (name <> ''),
  is_active boolean not null default true,
  created_at timestamptz not null default app.now(),
  updated_at timestamptz not null default app.now(),
  primary key (tenant_id, id),
  constraint reasons_name unique (tenant_id, name)
);
select app.protect('reasons');

create table farewells (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  name text not null check (name <> ''),
  message text not null,
  created_at timestamptz not null default app.now(),
  updated_at timestamptz not null default app.now(),
  primary key (tenant_id, id),
  constraint farewells_name unique (tenant_id, name)
);
select app.protect('farewells');

-- No company has had reasons until now, so no ticket names one. A reason that a ticket names stays.
alter table tickets add constraint tickets_reason foreign key (tenant_id, reason_id) references reasons (tenant_id, id);
create index tickets_with_reason on tickets (tenant_id, reason_id) where reason_id is not null;

-- By which words, one a line, a customer ends an attendance of the connection, and what is said at its end where nobody chose
-- a text.
alter table connections
  add column close_keywords text not null default '',
  add column farewell_message text not null default '';

-- Whether quiet tickets of a queue are resolved by themselves: as the company has it, after a time of its own, or never.
alter table queues
  add column auto_close text not null default 'company' check (auto_close in ('company', 'own', 'never')),
  add column auto_close_time text not null default '1440' check (auto_close_time in ('10', '60', '1440', '7200', '14400')),
  add column auto_close_message text not null default '';
