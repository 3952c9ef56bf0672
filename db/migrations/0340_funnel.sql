-- The funnel: pipelines of stages, and the opportunities in them.
create table pipelines (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  name text not null check (name <> ''),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  constraint pipelines_name unique (tenant_id, name)
);

create table pipeline_stages (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  pipeline_id bigint not null,
  name text not null check (name <> ''),
  color text not null,
  position integer not null,
  -- How likely a card of this stage is won, in percent.
  chance integer not null check (chance between 0 and 100),
  -- After so many days a card has been here for too long.
  stale_days integer not null check (stale_days between 1 and 365),
  -- How many times a card has left it, and for a later stage or won.
  exits integer not null default 0,
  advances integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, pipeline_id, id),
  foreign key (tenant_id, pipeline_id) references pipelines (tenant_id, id) on delete cascade
);
create index pipeline_stages_order on pipeline_stages (tenant_id, pipeline_id, position, id);

create table opportunities (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  pipeline_id bigint not null,
  stage_id bigint not null,
  -- Its place in the stage: keys compare byte by byte (domain/kanban/order.ts).
  rank text collate "C" not null,
  -- Counts its entries into stages.
  entry integer not null default 1,
  contact_id bigint not null,
  responsible_id bigint,
  name text not null check (name <> ''),
  description text not null default '',
  value numeric(15, 2) not null default 0 check (value >= 0),
  closing_forecast date,
  status text not null default 'open' check (status in ('open', 'win', 'lose')),
  reason text not null default '',
  -- When it came to its stage, when it was moved last, and when it was won or lost.
  stage_since timestamptz not null,
  moved_at timestamptz not null,
  closed_at timestamptz,
  user_id bigint,
  revision integer not null default 0,
  changed_by bigint,
  changed_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  check ((status = 'open') = (closed_at is null)),
  foreign key (tenant_id, pipeline_id, stage_id) references pipeline_stages (tenant_id, pipeline_id, id),
  foreign key (tenant_id, contact_id) references contacts (tenant_id, id) on delete cascade,
  foreign key (tenant_id, responsible_id) references users (tenant_id, id) on delete set null (responsible_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete set null (user_id),
  foreign key (tenant_id, changed_by) references users (tenant_id, id) on delete set null (changed_by)
);
create unique index opportunities_rank on opportunities (tenant_id, stage_id, rank);
create index opportunities_board on opportunities (tenant_id, stage_id, status, rank);
create index opportunities_pipeline on opportunities (tenant_id, pipeline_id, stage_id);
create index opportunities_contact on opportunities (tenant_id, contact_id);
create index opportunities_responsible on opportunities (tenant_id, responsible_id, status);
create index opportunities_user on opportunities (tenant_id, user_id);
create index opportunities_changed_by on opportunities (tenant_id, changed_by);
create index opportunities_forecast on opportunities (tenant_id, pipeline_id, closing_forecast) where status = 'open';
create index opportunities_newest on opportunities (tenant_id, id desc);

-- What became of opportunities, which nothing changes any more: everything else follows from it.
create table opportunity_history (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  opportunity_id bigint not null,
  kind text not null check (kind in ('created', 'stage', 'status', 'value', 'owner', 'forecast')),
  before text,
  after text,
  -- Of a change that takes it out of a stage: whether it went on.
  advanced boolean,
  entry integer not null,
  user_id bigint,
  at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, opportunity_id) references opportunities (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete set null (user_id)
);
create index opportunity_history_card on opportunity_history (tenant_id, opportunity_id, id);
create index opportunity_history_user on opportunity_history (tenant_id, user_id);

-- How many opportunities a stage has and what they are worth, by whose they are (0: unassigned) and how they ended.
create table pipeline_sums (
  tenant_id bigint not null references tenants (id) on delete cascade,
  stage_id bigint not null,
  owner_id bigint not null,
  status text not null,
  count integer not null,
  value numeric(18, 2) not null,
  primary key (tenant_id, stage_id, owner_id, status),
  foreign key (tenant_id, stage_id) references pipeline_stages (tenant_id, id) on delete cascade
);

-- Keeps the sums in the transaction of whatever changes a card, a contact that is deleted with its own included.
create function app.sum_opportunities() returns trigger language plpgsql set search_path = public, app, pg_temp as $$
begin
  if tg_op <> 'INSERT' then
    update pipeline_sums s set count = s.count - 1, value = s.value - old.value
    where s.tenant_id = old.tenant_id and s.stage_id = old.stage_id and s.owner_id = coalesce(old.responsible_id, 0)
      and s.status = old.status;
  end if;
  if tg_op <> 'DELETE' then
    insert into pipeline_sums as s (tenant_id, stage_id, owner_id, status, count, value)
    select t.id, new.stage_id, coalesce(new.responsible_id, 0), new.status, 1, new.value
    from tenants t where t.id = new.tenant_id
    on conflict (tenant_id, stage_id, owner_id, status)
      do update set count = s.count + 1, value = s.value + excluded.value;
  end if;
  return null;
end $$;
create trigger sum_new after insert or delete on opportunities for each row execute function app.sum_opportunities();
create trigger sum_changed after update of stage_id, responsible_id, status, value on opportunities for each row
  when ((old.stage_id, coalesce(old.responsible_id, 0), old.status, old.value)
    is distinct from (new.stage_id, coalesce(new.responsible_id, 0), new.status, new.value))
  execute function app.sum_opportunities();

select app.protect('pipelines');
select app.protect('pipeline_stages');
select app.protect('opportunities');
select app.protect('opportunity_history');
select app.protect('pipeline_sums');

-- The history is only ever added to.
revoke update, delete on opportunity_history from guiche_app;
