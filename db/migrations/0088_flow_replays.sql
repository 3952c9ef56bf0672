-- Recorded conversations played again: on a draft, as it was then, or each night on the versions that they followed (no draft).
create table flow_replays (
  tenant_id bigint not null,
  id bigint generated always as identity,
  chat_flow_id bigint not null,
  definition jsonb,
  from_at timestamptz not null,
  to_at timestamptz not null,
  -- How many there were, and by outcome.
  counts jsonb not null,
  created_at timestamptz not null default app.now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, chat_flow_id) references chat_flows (tenant_id, id) on delete cascade
);

create index flow_replays_flow on flow_replays (tenant_id, chat_flow_id, id);
create index flow_replays_created on flow_replays (tenant_id, created_at);

-- How each went; of a night only those that went otherwise. What was said is played again whenever somebody looks.
create table flow_replay_sessions (
  tenant_id bigint not null,
  replay_id bigint not null,
  session_id uuid not null,
  begun_at timestamptz not null,
  outcome text not null,
  primary key (tenant_id, replay_id, session_id),
  foreign key (tenant_id, replay_id) references flow_replays (tenant_id, id) on delete cascade,
  foreign key (tenant_id, session_id) references flow_sessions (tenant_id, id) on delete cascade
);

create index flow_replay_sessions_page on flow_replay_sessions (tenant_id, replay_id, outcome, begun_at desc, session_id desc);
create index flow_replay_sessions_session on flow_replay_sessions (tenant_id, session_id);

select app.protect('flow_replays');
select app.protect('flow_replay_sessions');
