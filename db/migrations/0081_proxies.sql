-- The proxies by which a company's connections may go, with what came of trying them last (`failure` null: it let us through);
-- the password stands encrypted in `secrets`.
create table proxies (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint not null generated always as identity,
  name text not null,
  type text not null default 'socks5' check (type in ('http', 'https', 'socks5')),
  host text not null,
  port integer not null check (port between 1 and 65535),
  username text not null default '',
  secrets jsonb not null default '{}',
  is_active boolean not null default true,
  tested_at timestamptz,
  failure text,
  created_at timestamptz not null default app.now(),
  updated_at timestamptz not null default app.now(),
  primary key (tenant_id, id)
);
create unique index proxies_name on proxies (tenant_id, name);
select app.protect('proxies');

-- By which of them a connection goes, and by no other way; null: directly.
alter table connections
  add column proxy_id bigint,
  add constraint connections_proxy foreign key (tenant_id, proxy_id) references proxies (tenant_id, id);
create index connections_by_proxy on connections (tenant_id, proxy_id) where proxy_id is not null;
