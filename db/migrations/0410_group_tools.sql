-- Groups as their channel had them when it was asked last, each with the role that the connection's own number has in it.
create table channel_groups (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  connection_id bigint not null,
  key text not null check (key <> ''),
  name text not null,
  description text not null default '',
  -- Null where the channel does not say.
  role text check (role in ('owner', 'admin', 'member')),
  size integer not null default 0,
  only_admins_write boolean not null default false,
  seen_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, connection_id) references connections (tenant_id, id) on delete cascade
);
create unique index channel_groups_key on channel_groups (tenant_id, connection_id, key);
create index channel_groups_name on channel_groups (tenant_id, connection_id, lower(name), key);

-- What is done to many groups, one after the other.
create table group_jobs (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  kind text not null check (kind in ('create', 'title', 'description', 'picture', 'admins_only', 'promote', 'demote', 'add', 'remove')),
  connection_id bigint not null,
  -- What is written, or whose numbers these are, by the kind.
  params jsonb not null default '{}',
  file_id uuid,
  status text not null default 'processing' check (status in ('processing', 'paused', 'completed', 'canceled')),
  -- Why it waits or was paused; empty while it goes on.
  reason text not null default '',
  user_id bigint,
  -- Before then nothing is done.
  waits_until timestamptz,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, connection_id) references connections (tenant_id, id) on delete cascade,
  foreign key (tenant_id, file_id) references files (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete set null (user_id)
);
create index group_jobs_listed on group_jobs (tenant_id, kind, id desc);
create index group_jobs_active on group_jobs (tenant_id, connection_id, id) where status = 'processing';
create index group_jobs_connection on group_jobs (tenant_id, connection_id);
create index group_jobs_file on group_jobs (tenant_id, file_id) where file_id is not null;
create index group_jobs_user on group_jobs (tenant_id, user_id);

-- One group of a job, and what became of it.
create table group_job_items (
  tenant_id bigint not null,
  id bigint generated always as identity,
  job_id bigint not null,
  -- Empty until a group that is to be made has one.
  key text not null default '',
  name text not null,
  state text not null default 'waiting' check (state in ('waiting', 'doing', 'done', 'partial', 'failed', 'uncertain', 'skipped')),
  reason text not null default '',
  -- Of numbers: what became of each.
  outcomes jsonb not null default '[]',
  done_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, job_id) references group_jobs (tenant_id, id) on delete cascade
);
create index group_job_items_job on group_job_items (tenant_id, job_id, id);
create index group_job_items_waiting on group_job_items (tenant_id, job_id, id) where state in ('waiting', 'doing');

-- When a connection's own number last changed a group.
create table group_lanes (
  tenant_id bigint not null,
  connection_id bigint not null,
  acted_at timestamptz not null,
  primary key (tenant_id, connection_id),
  foreign key (tenant_id, connection_id) references connections (tenant_id, id) on delete cascade
);

-- Rules of a group: greeting, farewell, banned number, forbidden word.
create table group_rules (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  kind text not null check (kind in ('greeting', 'farewell', 'ban', 'word')),
  connection_id bigint not null,
  key text not null check (key <> ''),
  group_name text not null,
  -- The text, the number (digits) or the word.
  value text not null check (value <> ''),
  -- Of a word: what follows when it is written.
  deletes boolean not null default false,
  warning text not null default '',
  remove_after integer check (remove_after between 1 and 100),
  user_id bigint,
  hits integer not null default 0,
  hit_at timestamptz,
  -- Why it could not be carried out last; empty where it could.
  problem text not null default '',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, connection_id) references connections (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete set null (user_id)
);
create unique index group_rules_value on group_rules (tenant_id, kind, connection_id, key, value) where kind in ('ban', 'word');
create unique index group_rules_text on group_rules (tenant_id, kind, connection_id, key) where kind in ('greeting', 'farewell');
create index group_rules_group on group_rules (tenant_id, connection_id, key);
create index group_rules_user on group_rules (tenant_id, user_id);

-- Count of forbidden words by author and group.
create table group_strikes (
  tenant_id bigint not null,
  connection_id bigint not null,
  key text not null,
  identity text not null,
  count integer not null,
  struck_at timestamptz not null,
  primary key (tenant_id, connection_id, key, identity),
  foreign key (tenant_id, connection_id) references connections (tenant_id, id) on delete cascade
);

-- Who has joined or left a group and is still to be spoken to.
create table group_arrivals (
  tenant_id bigint not null,
  id bigint generated always as identity,
  connection_id bigint not null,
  key text not null,
  kind text not null check (kind in ('greeting', 'farewell')),
  contact_id bigint not null,
  name text not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, connection_id) references connections (tenant_id, id) on delete cascade,
  foreign key (tenant_id, contact_id) references contacts (tenant_id, id) on delete cascade
);
create index group_arrivals_contact on group_arrivals (tenant_id, contact_id);
create index group_arrivals_group on group_arrivals (tenant_id, connection_id, key, kind);

-- Whether forbidden words are watched for in the groups of a connection.
alter table connections add column watches_words boolean not null default false;

-- A virtual group: what it is about, who may write in it, whether the company's own number runs it.
alter table lab_phones add column description text not null default '';
alter table lab_phones add column only_admins_write boolean not null default false;
alter table lab_phones add column is_own_admin boolean not null default false;

select app.protect('channel_groups');
select app.protect('group_jobs');
select app.protect('group_job_items');
select app.protect('group_lanes');
select app.protect('group_rules');
select app.protect('group_strikes');
select app.protect('group_arrivals');
