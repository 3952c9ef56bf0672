-- The same sums, each month worked out once for each change.
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
