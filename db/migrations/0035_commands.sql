-- Chat flows: what attends a ticket before people do.
create table chat_flows (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  name text not null,
  is_active boolean not null default true,
  definition jsonb not null default '{}',
  created_at timestamptz not null default app.now(),
  updated_at timestamptz not null default app.now(),
  primary key (tenant_id, id)
);

create index chat_flows_active on chat_flows (tenant_id) where is_active;

-- What an assistant remembers of a ticket, and by which handle its service knows the conversation.
create table assistant_sessions (
  tenant_id bigint not null,
  ticket_id bigint not null,
  assistant text not null,
  memory jsonb not null default '[]',
  handle text,
  updated_at timestamptz not null default app.now(),
  primary key (tenant_id, ticket_id, assistant),
  foreign key (tenant_id, ticket_id) references tickets (tenant_id, id) on delete cascade
);

alter table tickets
  add column chat_flow_node text,
  add column bot_retries int not null default 0,
  add column paused_at timestamptz,
  add column total_paused_ms bigint not null default 0,
  add column snoozed_until timestamptz;

-- The tab of what is snoozed, in its order; what is to wake, by its time.
create index tickets_snoozed on tickets (tenant_id, updated_at desc, id desc) where snoozed_until is not null;
create index tickets_waking on tickets (tenant_id, snoozed_until) where snoozed_until is not null;

select app.protect('chat_flows');
select app.protect('assistant_sessions');
