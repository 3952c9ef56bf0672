-- How soon a company wants to answer. The first active policy whose conditions a ticket satisfies is its own: an empty list of
-- ids is no condition. Minutes count within the hours of the queue, else of the company; null: nothing is promised.
create table sla_policies (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  name text not null,
  is_active boolean not null default false,
  position int not null,
  queue_ids bigint[] not null default '{}',
  connection_ids bigint[] not null default '{}',
  tag_ids bigint[] not null default '{}',
  wallet_ids bigint[] not null default '{}',
  first_minutes int check (first_minutes between 1 and 43200),
  next_minutes int check (next_minutes between 1 and 43200),
  solution_minutes int check (solution_minutes between 1 and 43200),
  warn_percent int not null default 80 check (warn_percent between 1 and 99),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
select app.protect('sla_policies');

-- What a ticket's row shows of its clocks: the one that is due first, since when it runs, and whether one is at risk or missed.
-- All null while none runs.
alter table tickets
  add column sla_state text check (sla_state in ('running', 'warned', 'missed')),
  add column sla_clock text check (sla_clock in ('first', 'next', 'solution')),
  add column sla_since timestamptz,
  add column sla_due_at timestamptz;
create index tickets_due on tickets (tenant_id, sla_due_at, id) where sla_due_at is not null;
create index tickets_late on tickets (tenant_id, sla_state, sla_due_at, id) where sla_state in ('warned', 'missed');

-- The clocks of a ticket as `domain/sla/clocks.ts` reads them, and when they are to be looked at again.
create table ticket_clocks (
  tenant_id bigint not null,
  ticket_id bigint not null,
  policy_id bigint,
  clocks jsonb not null,
  look_at timestamptz,
  primary key (tenant_id, ticket_id),
  foreign key (tenant_id, ticket_id) references tickets (tenant_id, id) on delete cascade,
  foreign key (tenant_id, policy_id) references sla_policies (tenant_id, id) on delete set null (policy_id)
);
create index ticket_clocks_look on ticket_clocks (look_at) where look_at is not null;
create index ticket_clocks_policy on ticket_clocks (tenant_id, policy_id) where policy_id is not null;
select app.protect('ticket_clocks');

-- What happened to tickets, in order, until their clocks know it.
create table sla_changes (
  tenant_id bigint not null,
  id bigint generated always as identity,
  ticket_id bigint not null,
  at timestamptz not null,
  is_new boolean not null,
  facts jsonb not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, ticket_id) references tickets (tenant_id, id) on delete cascade
);
create index sla_changes_ticket on sla_changes (tenant_id, ticket_id);
select app.protect('sla_changes');

-- By which policies and hours the clocks of a company were last counted, and as far as which ticket (null: all of them).
create table sla_counted (
  tenant_id bigint primary key references tenants (id) on delete cascade,
  version text not null,
  position bigint
);
select app.protect('sla_counted');

-- Whoever changes a ticket, what its clocks have to know of it is noted in the same transaction, where a policy is on.
create function app.note_sla() returns trigger language plpgsql set search_path = public, app, pg_temp as $$
begin
  if exists (select from sla_policies where tenant_id = new.tenant_id and is_active) then
    insert into sla_changes (tenant_id, ticket_id, at, is_new, facts)
    values (new.tenant_id, new.id, app.now(), tg_op = 'INSERT', jsonb_build_object(
      'isLive', new.status <> 'closed', 'isPaused', new.paused_at is not null,
      'isByBot', new.chat_flow_id is not null and new.status = 'pending', 'queueId', new.queue_id,
      'waitingSince', round(extract(epoch from new.waiting_since) * 1000), 'isAnswered', new.answered));
  end if;
  return null;
end $$;
create trigger note_sla_of_new after insert on tickets for each row when (not new.is_group) execute function app.note_sla();
create trigger note_sla after update of status, queue_id, waiting_since, answered, paused_at, chat_flow_id on tickets for each row
  when (not new.is_group and (old.status, old.queue_id, old.waiting_since, old.answered, old.paused_at, old.chat_flow_id)
    is distinct from (new.status, new.queue_id, new.waiting_since, new.answered, new.paused_at, new.chat_flow_id))
  execute function app.note_sla();
