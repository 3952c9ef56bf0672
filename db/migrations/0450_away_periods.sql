-- While a person was away for a break, besides when they were online: an end is known from the beginning, and comes earlier
-- where the break is cut short.
alter table presence_periods add column kind text not null default 'online' check (kind in ('online', 'away'));
create index presence_periods_began on presence_periods (tenant_id, began_at);

create or replace function app.keep_presence() returns trigger language plpgsql set search_path = public, app, pg_temp as $$
begin
  if (old.is_online and old.is_active) is distinct from (new.is_online and new.is_active) then
    update presence_periods set ended_at = app.now()
    where tenant_id = new.tenant_id and user_id = new.id and ended_at is null;
    if new.is_online and new.is_active then
      insert into presence_periods (tenant_id, user_id, began_at) values (new.tenant_id, new.id, app.now());
    end if;
  end if;
  if old.away_until is distinct from new.away_until then
    update presence_periods set ended_at = app.now()
    where tenant_id = new.tenant_id and user_id = new.id and kind = 'away' and ended_at > app.now();
    if new.away_until > app.now() then
      insert into presence_periods (tenant_id, user_id, kind, began_at, ended_at)
      values (new.tenant_id, new.id, 'away', app.now(), new.away_until);
    end if;
  end if;
  return null;
end $$;
drop trigger keep_presence on users;
create trigger keep_presence after update of is_online, is_active, away_until on users for each row
  when ((old.is_online, old.is_active, old.away_until) is distinct from (new.is_online, new.is_active, new.away_until))
  execute function app.keep_presence();
