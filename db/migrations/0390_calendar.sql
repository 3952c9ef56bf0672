-- How far the calendar of each account is known, and whether its provider may be asked.
create table calendar_syncs (
  tenant_id bigint not null references tenants (id) on delete cascade,
  account_id bigint not null,
  -- new: not signed in yet; failed: the credentials are refused; revoked: the consent was withdrawn.
  status text not null default 'new' check (status in ('new', 'ok', 'failed', 'revoked')),
  problem text not null default '',
  email text not null default '',
  -- What the provider calls the place up to which changes are known; null: all is to be read.
  cursor text,
  -- Counts the times that all was read; rows of an earlier one are gone at the provider.
  round integer not null default 0,
  full_at timestamptz,
  synced_at timestamptz,
  due_at timestamptz not null,
  primary key (tenant_id, account_id),
  foreign key (tenant_id, account_id) references provider_settings (tenant_id, id) on delete cascade
);
create index calendar_syncs_due on calendar_syncs (due_at) where status in ('ok', 'failed');

-- Events of those calendars; `wanted` is the change that the provider has not confirmed yet.
create table calendar_events (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id uuid not null,
  account_id bigint not null,
  -- What the provider calls it: made of ours where it began here.
  remote_id text not null,
  etag text not null default '',
  round integer not null default 0,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- Of whole days the first and the last one; null where it has hours.
  first_day date,
  last_day date,
  summary text not null default '',
  description text not null default '',
  location text not null default '',
  attendees jsonb not null default '[]',
  reminder_minutes integer,
  has_meet boolean not null default false,
  meet_url text not null default '',
  url text not null default '',
  is_private boolean not null default false,
  is_recurring boolean not null default false,
  is_editable boolean not null default true,
  -- What is wanted of the provider and not known to be done; null: nothing.
  wanted text check (wanted in ('insert', 'update', 'remove')),
  notifies boolean not null default false,
  -- Counts our changes, and which of them the provider is known to have.
  stamp integer not null default 0,
  known_stamp integer not null default 0,
  -- Not tried before; null: a person has to decide.
  push_at timestamptz,
  tries integer not null default 0,
  problem text not null default '',
  -- The provider's version, where it was changed there too.
  theirs jsonb,
  user_id bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  constraint calendar_events_remote unique (tenant_id, account_id, remote_id),
  check (ends_at >= starts_at),
  check ((first_day is null) = (last_day is null)),
  foreign key (tenant_id, account_id) references provider_settings (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete set null (user_id)
);
create index calendar_events_time on calendar_events (tenant_id, starts_at, id);
create index calendar_events_user on calendar_events (tenant_id, user_id);
create index calendar_events_wanted on calendar_events (push_at) where wanted is not null;

-- The forecasts of all pipelines by their day.
create index opportunities_forecast_day on opportunities (tenant_id, closing_forecast, id) where status = 'open';

select app.protect('calendar_syncs');
select app.protect('calendar_events');
