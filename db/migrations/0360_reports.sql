-- Figures of past days, as `domain/reports/measures.ts` defines them: of a day, a measure and a key of a split ('' where a
-- ticket has none), apart for groups. `total` is in whole numbers: ms, cents, grades.
create table report_figures (
  tenant_id bigint not null references tenants (id) on delete cascade,
  day date not null,
  measure text not null check (measure <> ''),
  split text not null check (split <> ''),
  key text not null,
  is_group boolean not null,
  count bigint not null,
  total bigint not null,
  primary key (tenant_id, split, measure, day, is_group, key)
);
create index report_figures_day on report_figures (tenant_id, day);
select app.protect('report_figures');

-- Which days are stored, and by which definitions and zone.
create table report_days (
  tenant_id bigint not null references tenants (id) on delete cascade,
  day date not null,
  version text not null,
  primary key (tenant_id, day)
);
select app.protect('report_days');

-- Until when changes of tickets have reached what is stored, and what the last proof found.
create table report_state (
  tenant_id bigint primary key references tenants (id) on delete cascade,
  checked_at timestamptz not null,
  proved_at timestamptz,
  proved_days integer not null default 0,
  proved_figures integer not null default 0,
  differences jsonb not null default '[]'
);
select app.protect('report_state');

-- When people were online: begun and ended by what is written of them, and kept from here on.
create table presence_periods (
  tenant_id bigint not null,
  id bigint generated always as identity,
  user_id bigint not null,
  began_at timestamptz not null,
  ended_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index presence_periods_user on presence_periods (tenant_id, user_id, began_at);
create unique index presence_periods_now on presence_periods (tenant_id, user_id) where ended_at is null;
select app.protect('presence_periods');

create function app.keep_presence() returns trigger language plpgsql set search_path = public, app, pg_temp as $$
begin
  update presence_periods set ended_at = app.now()
  where tenant_id = new.tenant_id and user_id = new.id and ended_at is null;
  if new.is_online and new.is_active then
    insert into presence_periods (tenant_id, user_id, began_at) values (new.tenant_id, new.id, app.now());
  end if;
  return null;
end $$;
create trigger keep_presence after update of is_online, is_active on users for each row
  when ((old.is_online and old.is_active) is distinct from (new.is_online and new.is_active))
  execute function app.keep_presence();
insert into presence_periods (tenant_id, user_id, began_at)
select tenant_id, id, app.now() from users where is_online and is_active;

-- Closed tickets by the day on which they began, and by that of their end; live ones are few and have their own indexes, so
-- that what arrives writes none of these.
create index tickets_closed_begun on tickets (tenant_id, created_at desc, id desc) where status = 'closed';
create index tickets_closed_ended on tickets (tenant_id, closed_at) where status = 'closed';
create index contacts_created on contacts (tenant_id, created_at);
