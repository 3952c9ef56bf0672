-- Auto replies: what they say and where their words lead is data; each has a flow of its own, made of it at every change.
create table auto_replies (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  name text not null,
  -- 0: when a conversation begins that no flow attends; 1: when one is resolved.
  action text not null default '0' check (action in ('0', '1')),
  test_number text not null default '',
  is_active boolean not null default false,
  steps jsonb not null default '[]',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);

-- The ids of their steps and of what these answer to.
create sequence auto_reply_parts;

alter table chat_flows
  -- How the published version begins beside keyword, connection and choice.
  add column starts_on text not null default '' check (starts_on in ('', 'entry', 'closing')),
  add column auto_reply_id bigint,
  add foreign key (tenant_id, auto_reply_id) references auto_replies (tenant_id, id) on delete set null (auto_reply_id);

create unique index chat_flows_auto_reply on chat_flows (tenant_id, auto_reply_id) where auto_reply_id is not null;

select app.protect('auto_replies');
