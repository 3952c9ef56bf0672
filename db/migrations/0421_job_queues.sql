-- Counts of jobs by kind, for the superadmin; and another try of those of a kind that
-- have failed for good. What is put aside (`flags`) is tried again elsewhere (`app.retry_jobs`).
grant create on schema app to guiche_worker;
create function app.job_kinds() returns table (name text, failed int, active int, waiting int, later int, oldest timestamptz)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query select t.identifier,
    count(*) filter (where j.locked_at is null and j.attempts >= j.max_attempts)::int,
    count(*) filter (where j.locked_at is not null)::int,
    count(*) filter (where j.locked_at is null and j.attempts < j.max_attempts and j.run_at <= now())::int,
    count(*) filter (where j.locked_at is null and j.attempts < j.max_attempts and j.run_at > now())::int,
    min(j.run_at) filter (where j.locked_at is null and j.attempts < j.max_attempts and j.run_at <= now())
  from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
  group by t.identifier order by t.identifier;
end $$;
create function app.retry_failed_jobs(kind text, most int) returns int language plpgsql
  security definer set search_path = pg_catalog, pg_temp as $$
declare amount int;
begin
  update graphile_worker._private_jobs w set attempts = 0, last_error = null, run_at = now()
  where w.id in (
    select j.id from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = kind and j.locked_at is null and j.attempts >= j.max_attempts and not coalesce(j.flags, '{}'::jsonb) ? 'aside'
    order by j.id limit most for update of j skip locked);
  get diagnostics amount = row_count;
  return amount;
end $$;
alter function app.job_kinds() owner to guiche_worker;
alter function app.retry_failed_jobs(text, int) owner to guiche_worker;
revoke create on schema app from guiche_worker;
revoke execute on function app.job_kinds(), app.retry_failed_jobs(text, int) from public;
grant execute on function app.job_kinds(), app.retry_failed_jobs(text, int) to guiche_platform;
grant select on schema_migrations to guiche_platform;
