-- What is done to a ticket by itself when something happens in it: `conditions` and `actions` are data.
create table rules (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  name text not null,
  event text not null check (event in ('opened', 'received', 'sent', 'assigned', 'closed')),
  is_active boolean not null default false,
  position int not null,
  match text not null default 'all' check (match in ('all', 'any')),
  conditions jsonb not null default '[]',
  actions jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);

select app.protect('rules');

-- Each time a rule held: once for each event, which `event_key` names. `steps` are the actions as they were then, each with
-- why it was refused.
create table rule_runs (
  tenant_id bigint not null,
  id bigint generated always as identity,
  rule_id bigint not null,
  event_key text not null,
  ticket_id bigint not null,
  outcome text not null check (outcome in ('done', 'same', 'refused', 'stopped')),
  steps jsonb not null default '[]',
  at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, rule_id, event_key),
  foreign key (tenant_id, rule_id) references rules (tenant_id, id) on delete cascade,
  foreign key (tenant_id, ticket_id) references tickets (tenant_id, id) on delete cascade
);
create index rule_runs_rule on rule_runs (tenant_id, rule_id, id desc);
create index rule_runs_ticket on rule_runs (tenant_id, ticket_id);
create index rule_runs_at on rule_runs (tenant_id, at);

select app.protect('rule_runs');
