-- Where a company's own systems are told what happens. `events` are types (`ticket.closed`), families (`ticket.*`) or `*`;
-- empty lists of connections and queues mean all of them. `of_settings` is the one that the settings of the company describe.
create table webhook_endpoints (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  name text not null check (name <> ''),
  url text not null check (url <> ''),
  events text[] not null,
  connection_ids bigint[] not null default '{}',
  queue_ids bigint[] not null default '{}',
  is_active boolean not null default true,
  of_settings boolean not null default false,
  -- Encrypted: what signs, what signed before the last rotation, what the receiver wants as `Authorization`.
  secret text not null,
  old_secret text,
  old_secret_until timestamptz,
  authorization_value text,
  -- Nothing that happened before this place of the changes feed is told.
  after_seq bigint not null default 0,
  failing_since timestamptz,
  failures int not null default 0,
  last_delivered_at timestamptz,
  -- Why the product itself switched it off, and when.
  off_reason text check (off_reason in ('gone', 'failing')),
  off_at timestamptz,
  user_id bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete set null (user_id)
);
create unique index webhook_endpoints_of_settings on webhook_endpoints (tenant_id) where of_settings;
create index webhook_endpoints_user on webhook_endpoints (tenant_id, user_id) where user_id is not null;
select app.protect('webhook_endpoints');

-- How far the changes feed of a company was read for its endpoints.
create table webhook_cursors (
  tenant_id bigint not null references tenants (id) on delete cascade,
  last_seq bigint not null,
  primary key (tenant_id)
);
select app.protect('webhook_cursors');

-- What an endpoint is told: one row for each event, with the bytes that are signed. Claimed by a process until `lease_until`.
create table webhook_deliveries (
  tenant_id bigint not null,
  id uuid not null,
  endpoint_id bigint not null,
  seq bigint not null,
  type text not null,
  body text not null,
  contact_id bigint,
  status text not null check (status in ('pending', 'delivered', 'failed')),
  tries int not null default 0,
  due_at timestamptz not null,
  lease_until timestamptz,
  http_status int,
  problem text,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, endpoint_id) references webhook_endpoints (tenant_id, id) on delete cascade
);
create index webhook_deliveries_due on webhook_deliveries (tenant_id, endpoint_id, due_at, seq) where status = 'pending';
create index webhook_deliveries_leased on webhook_deliveries (tenant_id, endpoint_id, lease_until) where lease_until is not null;
create index webhook_deliveries_log on webhook_deliveries (tenant_id, endpoint_id, created_at desc, id desc);
create index webhook_deliveries_contact on webhook_deliveries (tenant_id, contact_id) where contact_id is not null;
create index webhook_deliveries_age on webhook_deliveries (tenant_id, created_at);
select app.protect('webhook_deliveries');

-- What came of each try: the status that was answered, or why none was; the first bytes of the answer.
create table webhook_attempts (
  tenant_id bigint not null,
  id bigint generated always as identity,
  delivery_id uuid not null,
  at timestamptz not null,
  http_status int,
  problem text,
  ms int not null,
  answer text not null default '',
  primary key (tenant_id, id),
  foreign key (tenant_id, delivery_id) references webhook_deliveries (tenant_id, id) on delete cascade
);
create index webhook_attempts_delivery on webhook_attempts (tenant_id, delivery_id, id);
select app.protect('webhook_attempts');
