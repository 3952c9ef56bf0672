-- Connections that a process keeps open: whose each is. `holder` owns an advisory lock of that name while it lives
-- (decision 0014); `epoch` rises with each holder, so that what an earlier one still does fails.
create table connection_leases (
  tenant_id bigint not null,
  connection_id bigint not null,
  holder uuid,
  epoch bigint not null default 1,
  taken_at timestamptz not null,
  primary key (tenant_id, connection_id),
  foreign key (tenant_id, connection_id) references connections (tenant_id, id) on delete cascade
);
create index connection_leases_holder on connection_leases (holder) where holder is not null;

-- What such a connection must not lose (keys, cursors), by name, each entry encrypted by itself.
create table connection_state (
  tenant_id bigint not null,
  connection_id bigint not null,
  name text not null,
  value text not null,
  updated_at timestamptz not null,
  primary key (tenant_id, connection_id, name),
  foreign key (tenant_id, connection_id) references connections (tenant_id, id) on delete cascade
);
select app.protect('connection_leases'), app.protect('connection_state');

-- The connections of a type that are not ended, of all companies.
create index connections_open on connections (type) where not is_deleted and status <> 'DISCONNECTED';

-- An app of the installation at a provider, whose one address serves accounts of several companies. `path` is the random
-- part of that address, encrypted; it is found by its hash. `unclaimed_events` counts events of accounts that nobody has.
create table provider_apps (
  id bigint primary key generated always as identity,
  channel text not null,
  name text not null check (name <> ''),
  config jsonb not null default '{}',
  secrets jsonb not null default '{}',
  path text,
  path_hash bytea not null unique,
  unclaimed_events bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (channel, name)
);
grant select, insert, update, delete on provider_apps to guiche_platform;

-- Also the account of a provider that a connection is of: its events come by an app's address.
create or replace function app.keep_in_directory(kept_kind text, subject bigint, keys bytea[], until timestamptz default null)
  returns bytea[] language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare own bigint := app.tenant();
begin
  if kept_kind not in ('login', 'invite', 'mailed_invite', 'email', 'webchat_channel', 'webhook', 'account')
    and not (kept_kind = 'oidc' and keys = '{}') then
    raise exception 'the application keeps no % in the directory', kept_kind;
  end if;
  delete from public.directory
    where tenant_id = own and kind = kept_kind and subject_id = subject::text and key_hash <> all (keys);
  insert into public.directory (kind, key_hash, tenant_id, subject_id, expires_at)
    select kept_kind, key, own, subject::text, until from unnest(keys) key order by key
    on conflict (kind, key_hash) do nothing;
  return array(
    select key from unnest(keys) key where not exists (
      select from public.directory
      where kind = kept_kind and key_hash = key and tenant_id = own and subject_id = subject::text));
end $$;
