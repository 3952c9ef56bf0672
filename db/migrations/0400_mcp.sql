-- What programs did by tools (MCP), as long as it can be taken back: `before` and `after` are what `way` needs for that.
create table mcp_effects (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id uuid not null,
  key_id uuid not null,
  operation text not null,
  -- What is changed, by the names of the operation's address: {"id": 12}.
  subject jsonb not null default '{}',
  -- How it is taken back: 'bulk', 'kind', 'message', 'remove', 'update'; '': not at all.
  way text not null default '',
  before jsonb,
  after jsonb,
  created_at timestamptz not null,
  undo_until timestamptz,
  undone_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, key_id) references api_keys (tenant_id, id) on delete cascade
);
create index mcp_effects_key on mcp_effects (tenant_id, key_id);
create index mcp_effects_age on mcp_effects (tenant_id, created_at);
select app.protect('mcp_effects');

-- Tool calls that need an approval: input, client, and the change that a dry run predicts.
create table mcp_approvals (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id uuid not null,
  key_id uuid not null,
  operation text not null,
  input jsonb not null,
  client text not null default '',
  prompt text not null default '',
  before jsonb,
  after jsonb,
  status text not null default 'waiting' check (status in ('waiting', 'running', 'done', 'failed', 'refused')),
  -- The effect, once it was done.
  effect_id uuid,
  -- Why it could not be done.
  error text not null default '',
  decided_by bigint,
  decided_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, key_id) references api_keys (tenant_id, id) on delete cascade,
  foreign key (tenant_id, decided_by) references users (tenant_id, id) on delete set null (decided_by)
);
create index mcp_approvals_key on mcp_approvals (tenant_id, key_id);
create index mcp_approvals_decided_by on mcp_approvals (tenant_id, decided_by);
create index mcp_approvals_order on mcp_approvals (tenant_id, created_at desc, id desc);
select app.protect('mcp_approvals');
