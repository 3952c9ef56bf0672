-- How what waits in a queue is given to its people (null: as the company has it), and to which other queue it flows over: after
-- so many minutes, or (null) only while nobody is there.
alter table queues
  add column distribution text check (distribution in ('N', 'R', 'B', 'S')),
  add column overflow_queue_id bigint,
  add column overflow_minutes integer check (overflow_minutes between 1 and 1440),
  add constraint queues_overflow foreign key (tenant_id, overflow_queue_id) references queues (tenant_id, id)
    on delete set null (overflow_queue_id);
create index queues_overflow_of on queues (tenant_id, overflow_queue_id) where overflow_queue_id is not null;

-- How many open tickets somebody may be given (null: as usual for their role); until when they are on a break; since when they
-- are not there, whether offline or on a break.
alter table users
  add column capacity integer check (capacity between 0 and 99),
  add column away_until timestamptz,
  add column left_at timestamptz;
update users set left_at = coalesce(last_logout, app.now()) where not is_online;

-- Whoever changes where somebody is, this is noted. A break that is over counts as one that never was.
create function app.note_leaving() returns trigger language plpgsql set search_path = public, app, pg_temp as $$
declare
  was_there constant boolean := tg_op = 'UPDATE' and old.is_online and coalesce(old.away_until <= app.now(), true);
begin
  if new.is_online and coalesce(new.away_until <= app.now(), true) then
    new.left_at := null;
  elsif was_there or new.left_at is null then
    new.left_at := app.now();
  end if;
  return new;
end $$;
create trigger note_leaving before insert or update of is_online, away_until on users
  for each row execute function app.note_leaving();

-- Since when a ticket waits for a person, in which queue since when, and where it has been meanwhile.
create table ticket_waits (
  tenant_id bigint not null,
  ticket_id bigint not null,
  since timestamptz not null,
  queue_id bigint,
  queue_since timestamptz not null,
  visited bigint[] not null default '{}',
  primary key (tenant_id, ticket_id),
  foreign key (tenant_id, ticket_id) references tickets (tenant_id, id) on delete cascade
);
select app.protect('ticket_waits');

-- Who was given a ticket before whom.
create table distribution_turns (
  tenant_id bigint not null,
  user_id bigint not null,
  turn bigint not null,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
select app.protect('distribution_turns');

create index tickets_unattended on tickets (tenant_id, id) where status = 'pending' and user_id is null and not is_group;
