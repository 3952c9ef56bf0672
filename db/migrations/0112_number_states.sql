-- How the number behind a connection stands with its provider, as it was read last; `business` is the provider's name of the
-- account, by which it tells of changes.
create table number_states (
  tenant_id bigint not null references tenants (id) on delete cascade,
  connection_id bigint not null,
  business text not null,
  state jsonb not null,
  read_at timestamptz not null,
  primary key (tenant_id, connection_id),
  foreign key (tenant_id, connection_id) references connections (tenant_id, id) on delete cascade
);
create index number_states_business on number_states (business);
select app.protect('number_states');

-- What changed of it, or happened to it. What a provider tells with a time of its own stands there once.
create table number_changes (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  connection_id bigint not null,
  what text not null check (what in ('quality', 'limit', 'status', 'name', 'restriction', 'payment')),
  before text,
  after text not null,
  at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, connection_id, what, after, at),
  foreign key (tenant_id, connection_id) references connections (tenant_id, id) on delete cascade
);
create index number_changes_of on number_changes (tenant_id, connection_id, id desc);
select app.protect('number_changes');
