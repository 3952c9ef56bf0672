-- Keys with which programs do what somebody may do, as far as `scopes` go (permissions). What is shown once stands hashed in
-- the directory (kind 'api_key', by `id`); `hint` is its end. `connection_id` is by what is sent.
create table api_keys (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id uuid not null,
  name text not null check (name <> ''),
  connection_id bigint not null,
  user_id bigint not null,
  scopes text[] not null,
  is_active boolean not null default true,
  hint text not null,
  -- Until when the token before the last renewal holds.
  old_until timestamptz,
  per_minute int not null default 120,
  -- Addresses and networks (CIDR) from which it is taken; empty: from anywhere.
  networks text[] not null default '{}',
  takes_query boolean not null default false,
  url_service_status text not null default '',
  url_message_status text not null default '',
  -- Encrypted: what callbacks bring as `authorization`.
  auth_token text,
  last_used_at timestamptz,
  last_address text not null default '',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, connection_id) references connections (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index api_keys_connection on api_keys (tenant_id, connection_id);
create index api_keys_user on api_keys (tenant_id, user_id);
create index api_keys_order on api_keys (tenant_id, created_at desc, id desc);
select app.protect('api_keys');

-- Endpoints that a key brings with it: of which key (`source`) and in which form of old they are told.
alter table webhook_endpoints
  add column source uuid,
  add column format text not null default 'standard';
create unique index webhook_endpoints_source on webhook_endpoints (tenant_id, source, format) where source is not null;
