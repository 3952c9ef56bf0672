-- Conversations with which a flow is tested: what happens in them, and what is expected.
create table flow_cases (
  tenant_id bigint not null,
  id bigint generated always as identity,
  chat_flow_id bigint not null,
  name text not null,
  conversation jsonb not null,
  expect jsonb not null,
  created_at timestamptz not null default app.now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, chat_flow_id) references chat_flows (tenant_id, id) on delete cascade
);

create index flow_cases_flow on flow_cases (tenant_id, chat_flow_id, id);

-- What happened to a session, in order: from it and the flow everything else follows.
create table flow_events (
  tenant_id bigint not null,
  session_id uuid not null,
  id bigint generated always as identity,
  event jsonb not null,
  primary key (tenant_id, session_id, id),
  foreign key (tenant_id, session_id) references flow_sessions (tenant_id, id) on delete cascade
);

-- The files that a flow sends, or has sent in one of its versions.
create table flow_files (
  tenant_id bigint not null,
  chat_flow_id bigint not null,
  file_id uuid not null,
  primary key (tenant_id, chat_flow_id, file_id),
  foreign key (tenant_id, chat_flow_id) references chat_flows (tenant_id, id) on delete cascade,
  foreign key (tenant_id, file_id) references files (tenant_id, id)
);

create index flow_files_file on flow_files (tenant_id, file_id);

select app.protect('flow_cases');
select app.protect('flow_events');
select app.protect('flow_files');
