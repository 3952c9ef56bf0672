-- The address that a provider calls for all connections of whoever filled in its settings: a company (`owner_id`), or the
-- installation (null). `path` is its random part, encrypted; it is found by its hash. What is counted: calls whose signature was
-- wrong, events of accounts that nobody has connected, and (by their names) what came that is of no kind that is read.
create table provider_webhooks (
  id bigint primary key generated always as identity,
  owner_id bigint references tenants (id) on delete cascade,
  provider text not null,
  path text not null,
  path_hash bytea not null unique,
  refused_calls bigint not null default 0,
  unclaimed_events bigint not null default 0,
  unread jsonb not null default '{}',
  unique nulls not distinct (owner_id, provider)
);
grant select, insert, update, delete on provider_webhooks to guiche_platform;
