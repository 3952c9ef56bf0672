-- Chat flows: a draft, versions that never change, and the conversations that they attend.
alter table chat_flows
  add column test_number text not null default '',
  add column keyword text not null default '',
  add column revision int not null default 1,
  add column is_deleted boolean not null default false,
  -- What was there before there were versions is its own first one.
  add column published_version int default 1;

create table chat_flow_versions (
  tenant_id bigint not null,
  chat_flow_id bigint not null,
  version int not null,
  definition jsonb not null,
  user_id bigint,
  created_at timestamptz not null default app.now(),
  primary key (tenant_id, chat_flow_id, version),
  foreign key (tenant_id, chat_flow_id) references chat_flows (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete set null (user_id)
);

create index chat_flow_versions_user on chat_flow_versions (tenant_id, user_id) where user_id is not null;

insert into chat_flow_versions (tenant_id, chat_flow_id, version, definition, created_at)
  select tenant_id, id, 1, definition, updated_at from chat_flows;

-- One conversation with a flow; `state` is everything that the engine knows of it.
create table flow_sessions (
  tenant_id bigint not null,
  id uuid not null,
  ticket_id bigint not null,
  chat_flow_id bigint not null,
  version int not null,
  state jsonb not null,
  ended_at timestamptz,
  created_at timestamptz not null default app.now(),
  updated_at timestamptz not null default app.now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, ticket_id) references tickets (tenant_id, id) on delete cascade,
  foreign key (tenant_id, chat_flow_id) references chat_flows (tenant_id, id) on delete cascade
);

create unique index flow_sessions_live on flow_sessions (tenant_id, ticket_id) where ended_at is null;
create index flow_sessions_flow on flow_sessions (tenant_id, chat_flow_id);
create index flow_sessions_ticket on flow_sessions (tenant_id, ticket_id, created_at desc);

-- Why a conversation went where it did, by the number of the session's effect.
create table flow_steps (
  tenant_id bigint not null,
  session_id uuid not null,
  number int not null,
  node_id text,
  why text not null,
  at timestamptz not null,
  primary key (tenant_id, session_id, number),
  foreign key (tenant_id, session_id) references flow_sessions (tenant_id, id) on delete cascade
);

-- The flow that new conversations of a connection begin with.
alter table connections
  add column chat_flow_id bigint,
  add foreign key (tenant_id, chat_flow_id) references chat_flows (tenant_id, id) on delete set null (chat_flow_id);

create index connections_chat_flow on connections (tenant_id, chat_flow_id) where chat_flow_id is not null;

select app.protect('chat_flow_versions');
select app.protect('flow_sessions');
select app.protect('flow_steps');
