-- The sums also say for which month open cards are forecast (infinity: none, or not open), and how many of them are worth
-- more than HIGH_VALUE (domain/funnel/alerts.ts). Rows of nothing are removed.
delete from pipeline_sums;
alter table pipeline_sums
  add column month date not null,
  add column high_count integer not null,
  add column high_value numeric(18, 2) not null,
  drop constraint pipeline_sums_pkey,
  add primary key (tenant_id, stage_id, owner_id, status, month);

create function app.forecast_month(status text, forecast date) returns date language sql immutable parallel safe as $$
  select case when status = 'open' and forecast is not null then date_trunc('month', forecast::timestamp)::date
    else 'infinity'::date end
$$;

insert into pipeline_sums
select tenant_id, stage_id, coalesce(responsible_id, 0), status, count(*), sum(value), app.forecast_month(status, closing_forecast),
  count(*) filter (where value > 10000), coalesce(sum(value) filter (where value > 10000), 0)
from opportunities group by 1, 2, 3, 4, 7;

create or replace function app.sum_opportunities() returns trigger language plpgsql set search_path = public, app, pg_temp as $$
declare
  month_of date;
  rest integer;
begin
  if tg_op <> 'INSERT' then
    month_of := app.forecast_month(old.status, old.closing_forecast);
    update pipeline_sums s set count = s.count - 1, value = s.value - old.value,
      high_count = s.high_count - (old.value > 10000)::int,
      high_value = s.high_value - case when old.value > 10000 then old.value else 0 end
    where s.tenant_id = old.tenant_id and s.stage_id = old.stage_id and s.owner_id = coalesce(old.responsible_id, 0)
      and s.status = old.status and s.month = month_of
    returning s.count into rest;
    if rest = 0 then
      delete from pipeline_sums s
      where s.tenant_id = old.tenant_id and s.stage_id = old.stage_id and s.owner_id = coalesce(old.responsible_id, 0)
        and s.status = old.status and s.month = month_of and s.count = 0;
    end if;
  end if;
  if tg_op <> 'DELETE' then
    month_of := app.forecast_month(new.status, new.closing_forecast);
    insert into pipeline_sums as s (tenant_id, stage_id, owner_id, status, month, count, value, high_count, high_value)
    select t.id, new.stage_id, coalesce(new.responsible_id, 0), new.status, month_of, 1, new.value, (new.value > 10000)::int,
      case when new.value > 10000 then new.value else 0 end
    from tenants t where t.id = new.tenant_id
    on conflict (tenant_id, stage_id, owner_id, status, month)
      do update set count = s.count + 1, value = s.value + excluded.value,
        high_count = s.high_count + excluded.high_count, high_value = s.high_value + excluded.high_value;
  end if;
  return null;
end $$;
drop trigger sum_changed on opportunities;
create trigger sum_changed after update of stage_id, responsible_id, status, value, closing_forecast on opportunities
  for each row when ((old.stage_id, old.responsible_id, old.status, old.value, old.closing_forecast)
    is distinct from (new.stage_id, new.responsible_id, new.status, new.value, new.closing_forecast))
  execute function app.sum_opportunities();

-- What a dashboard counts is read from indexes alone: made and ended by month, moved lately, lately in their stage.
create index opportunities_made on opportunities (tenant_id, pipeline_id, created_at) include (responsible_id);
create index opportunities_ended on opportunities (tenant_id, pipeline_id, closed_at)
  include (status, value, responsible_id) where status <> 'open';
create index opportunities_moved on opportunities (tenant_id, pipeline_id, moved_at)
  include (value, responsible_id, contact_id, id) where status = 'open';
drop index opportunities_entered;
create index opportunities_entered on opportunities (tenant_id, stage_id, stage_since)
  include (value, responsible_id, pipeline_id) where status = 'open';
-- Which opportunities and contacts have an open task.
drop index tasks_opportunity;
create index tasks_opportunity on tasks (tenant_id, opportunity_id) include (status) where opportunity_id is not null;
create index tasks_open_contact on tasks (tenant_id, contact_id)
  where contact_id is not null and opportunity_id is null and status <> 'finished';
-- The cards of an owner, and those of none, in the order of a stage.
drop index opportunities_responsible;
create index opportunities_responsible on opportunities (tenant_id, responsible_id, status, stage_id, rank);
create index opportunities_unassigned on opportunities (tenant_id, stage_id, status, rank) where responsible_id is null;
-- The primary key serves what was asked of this one.
drop index opportunities_newest;
