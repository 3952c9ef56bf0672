-- What happens by itself to a card that has come into a stage: `steps` are data, done in order.
create table pipeline_actions (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  name text not null check (name <> ''),
  description text not null default '',
  pipeline_id bigint not null,
  stage_id bigint not null,
  -- How many days after the entry; the card still has to be there.
  days_to_trigger integer not null default 0 check (days_to_trigger between 0 and 365),
  -- Only within these hours of the company's day, from the first until before the last; null: at any time.
  hour_from integer check (hour_from between 0 and 23),
  hour_to integer check (hour_to between 1 and 24),
  steps jsonb not null,
  is_active boolean not null default false,
  -- Entries before this moment are left alone.
  active_since timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  check ((hour_from is null) = (hour_to is null)),
  foreign key (tenant_id, pipeline_id, stage_id) references pipeline_stages (tenant_id, pipeline_id, id) on delete cascade
);
create index pipeline_actions_stage on pipeline_actions (tenant_id, pipeline_id, stage_id, id);

-- Each time one was done: once for each entry of a card. `steps` are those of then, each with why it was refused.
create table pipeline_action_logs (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  action_id bigint not null,
  opportunity_id bigint not null,
  entry integer not null,
  result text not null check (result in ('done', 'refused', 'stopped')),
  steps jsonb not null default '[]',
  at timestamptz not null,
  primary key (tenant_id, id),
  constraint pipeline_action_logs_once unique (tenant_id, action_id, opportunity_id, entry),
  foreign key (tenant_id, action_id) references pipeline_actions (tenant_id, id) on delete cascade,
  foreign key (tenant_id, opportunity_id) references opportunities (tenant_id, id) on delete cascade
);
create index pipeline_action_logs_card on pipeline_action_logs (tenant_id, opportunity_id);

-- How many actions in a row led to the entry of a card; 0 where a person moved it.
alter table opportunities add column depth integer not null default 0;
-- Of what another feature made by itself: which of its wishes, so that it is made once.
alter table opportunities add column source text;
create unique index opportunities_source on opportunities (tenant_id, source) where source is not null;
create index opportunities_entered on opportunities (tenant_id, stage_id, stage_since) where status = 'open';

select app.protect('pipeline_actions');
select app.protect('pipeline_action_logs');
