-- What is secret in a flow stands here, encrypted; its documents name it by its id.
create table flow_secrets (
  tenant_id bigint not null,
  id uuid not null,
  chat_flow_id bigint not null,
  -- The header, field or parameter whose value it is.
  name text not null,
  -- The only place where it may be sent; empty: not known yet.
  origin text not null,
  hint text not null,
  encrypted text not null,
  created_at timestamptz not null default app.now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, chat_flow_id) references chat_flows (tenant_id, id) on delete cascade
);

create index flow_secrets_flow on flow_secrets (tenant_id, chat_flow_id);

-- Documents from before are gone through when a process starts.
alter table chat_flows add column secrets_apart boolean not null default false;
alter table chat_flow_versions add column secrets_apart boolean not null default false;

create index chat_flows_with_secrets on chat_flows (tenant_id) where not secrets_apart;
create index chat_flow_versions_with_secrets on chat_flow_versions (tenant_id) where not secrets_apart;

select app.protect('flow_secrets');
