-- One clock: rows get their times from the moment that their transaction says it happens at (`set local app.now`), which is
-- the process's `ctx.now` too. Who says none (the release of before during an upgrade, the owner at the console) gets the
-- database's clock.
create function app.now() returns timestamptz language sql stable parallel safe
  as $$ select coalesce(nullif(current_setting('app.now', true), '')::timestamptz, now()) $$;

do $$
declare
  one record;
begin
  for one in
    select table_name, column_name from information_schema.columns
    where table_schema = 'public' and column_default like '%now()' and table_name <> 'schema_migrations'
    order by 1, 2
  loop
    execute format('alter table %I alter column %I set default app.now()', one.table_name, one.column_name);
  end loop;
end $$;
