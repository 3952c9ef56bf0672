-- Voice devices (devices of a voice provider) of a company, and the log of their calls.
create table voice_devices (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint not null generated always as identity,
  name text not null,
  -- Own number with plus sign; '' if unknown.
  number text not null default '',
  secrets jsonb not null default '{}',
  is_active boolean not null default true,
  created_at timestamptz not null default app.now(),
  updated_at timestamptz not null default app.now(),
  primary key (tenant_id, id)
);
create unique index voice_devices_name on voice_devices (tenant_id, name);
select app.protect('voice_devices');

create table calls (
  tenant_id bigint not null references tenants (id) on delete cascade,
  -- Version 7: in the order of time.
  id uuid not null,
  -- Null once the device is removed; its name remains.
  device_id bigint,
  device_name text not null,
  -- User who called or answered; null for an unanswered incoming call.
  user_id bigint,
  contact_id bigint,
  direction text not null check (direction in ('incoming', 'outgoing')),
  -- Digits of both sides; '' if unknown.
  device_number text not null default '',
  number text not null default '',
  name text not null default '',
  created_at timestamptz not null,
  answered_at timestamptz,
  ended_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, device_id) references voice_devices (tenant_id, id) on delete set null (device_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete set null (user_id),
  foreign key (tenant_id, contact_id) references contacts (tenant_id, id) on delete set null (contact_id)
);
select app.protect('calls');
create index calls_created on calls (tenant_id, created_at);
create index calls_device on calls (tenant_id, device_id);
create index calls_user on calls (tenant_id, user_id);
create index calls_contact on calls (tenant_id, contact_id);
-- A device has at most one call at a time.
create unique index calls_open on calls (tenant_id, device_id) where ended_at is null;
