-- What is said to many contacts by a plan: campaigns, and messages that are sent to lists.
create table dispatches (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  kind text not null check (kind in ('campaign', 'text', 'text_variable', 'template', 'template_variable', 'sms')),
  name text not null check (name <> ''),
  status text not null default 'pending' check (status in ('pending', 'scheduled', 'processing', 'paused', 'canceled', 'finished')),
  -- Why the product itself paused it; empty where a person did.
  pause_reason text not null default '',
  start_at timestamptz not null,
  -- The connection by which it is sent; recipients of several in turn have theirs.
  connection_id bigint,
  -- Seconds between two messages, around which the time varies.
  delay integer not null check (delay between 0 and 86400),
  -- The texts in turn, each with its weight; or the template with the values of its variables.
  messages jsonb not null default '[]',
  template jsonb,
  file_id uuid,
  window_start text not null,
  window_end text not null,
  weekdays jsonb not null,
  skips_holidays boolean not null,
  purpose text not null check (purpose in ('marketing', 'utility')),
  -- So many dispatches a week each contact may get; null: any number.
  per_week integer,
  skips_open boolean not null,
  -- Where an answer goes.
  reply_queue_id bigint,
  reply_tag_id bigint,
  user_id bigint,
  -- The dispatch whose silent recipients it follows up.
  parent_id bigint,
  -- How many recipients stand in each state, up to what dispatch_ticks still holds.
  counts jsonb not null default '{}',
  -- When it had its last turn among those of its connection.
  turned_at timestamptz,
  -- Until when number care holds it back.
  waits_until timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, connection_id) references connections (tenant_id, id) on delete set null (connection_id),
  foreign key (tenant_id, file_id) references files (tenant_id, id),
  foreign key (tenant_id, reply_queue_id) references queues (tenant_id, id) on delete set null (reply_queue_id),
  foreign key (tenant_id, reply_tag_id) references tags (tenant_id, id) on delete set null (reply_tag_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete set null (user_id),
  foreign key (tenant_id, parent_id) references dispatches (tenant_id, id) on delete set null (parent_id)
);
create index dispatches_listed on dispatches (tenant_id, kind, created_at desc, id desc);
create index dispatches_active on dispatches (tenant_id, status) where status in ('scheduled', 'processing');
create index dispatches_connection on dispatches (tenant_id, connection_id);
create index dispatches_file on dispatches (tenant_id, file_id) where file_id is not null;
create index dispatches_queue on dispatches (tenant_id, reply_queue_id) where reply_queue_id is not null;
create index dispatches_tag on dispatches (tenant_id, reply_tag_id) where reply_tag_id is not null;
create index dispatches_user on dispatches (tenant_id, user_id);
create index dispatches_parent on dispatches (tenant_id, parent_id) where parent_id is not null;

-- A recipient: one of a number, however that is spelled (`line`). Its message is known by `message_id` before it is written.
create table dispatch_items (
  tenant_id bigint not null,
  id bigint generated always as identity,
  dispatch_id bigint not null,
  contact_id bigint not null,
  connection_id bigint not null,
  line text not null,
  message_id uuid not null,
  -- Which of the texts it gets, from 0, and its own values of variables.
  variant integer not null default 0,
  own_values jsonb,
  state text not null default 'waiting'
    check (state in ('waiting', 'queued', 'sent', 'delivered', 'read', 'failed', 'uncertain', 'skipped')),
  -- Why it was left out, or a code of why it failed.
  reason text not null default '',
  -- The message began a conversation.
  is_first boolean not null default false,
  sent_at timestamptz,
  state_at timestamptz,
  replied_at timestamptz,
  opted_out_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, dispatch_id) references dispatches (tenant_id, id) on delete cascade,
  foreign key (tenant_id, contact_id) references contacts (tenant_id, id) on delete cascade,
  foreign key (tenant_id, connection_id) references connections (tenant_id, id) on delete cascade
);
create unique index dispatch_items_line on dispatch_items (tenant_id, dispatch_id, line);
create unique index dispatch_items_message on dispatch_items (tenant_id, message_id);
create index dispatch_items_waiting on dispatch_items (tenant_id, connection_id, dispatch_id, id) where state = 'waiting';
create index dispatch_items_queued on dispatch_items (tenant_id, connection_id) where state = 'queued';
create index dispatch_items_state on dispatch_items (tenant_id, dispatch_id, state, id);
create index dispatch_items_contact on dispatch_items (tenant_id, contact_id, sent_at);
create index dispatch_items_sent on dispatch_items (tenant_id, connection_id, sent_at) where sent_at is not null;

-- What was counted since a dispatch's own counts: who counts waits for nobody, and holds nothing.
create table dispatch_ticks (
  tenant_id bigint not null,
  id bigint generated always as identity,
  dispatch_id bigint not null,
  counter text not null,
  amount integer not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, dispatch_id) references dispatches (tenant_id, id) on delete cascade
);
create index dispatch_ticks_dispatch on dispatch_ticks (tenant_id, dispatch_id);

-- When the last message of any dispatch left by a connection, and how the time until the next one varies (0 to 1).
create table dispatch_lanes (
  tenant_id bigint not null,
  connection_id bigint not null,
  sent_at timestamptz,
  jitter double precision not null default 0,
  primary key (tenant_id, connection_id),
  foreign key (tenant_id, connection_id) references connections (tenant_id, id) on delete cascade
);

select app.protect('dispatches');
select app.protect('dispatch_items');
select app.protect('dispatch_ticks');
select app.protect('dispatch_lanes');
