-- Of how many processes an event was the only work when they died.
alter table journal add column deaths int not null default 0;

-- What a job has been through (`flags`) stays when it is recorded again under its key, and what was put aside stays so.
grant create on schema app to guiche_worker;
create or replace function app.add_jobs(jobs json) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform graphile_worker.add_jobs(array(
    select (j.task, j.payload, j.queue, coalesce(j."runAt", least(w.run_at, now())), 5::smallint, j.key,
        case when j.priority is not null then least(j.priority, w.priority) end::smallint,
        (select array_agg(flag) from jsonb_object_keys(w.flags) flag where flag <> 'deaths'))::graphile_worker.job_spec
    from rows from (json_to_recordset(jobs) as (task text, payload json, key text, queue text, "runAt" timestamptz, priority int))
      with ordinality as j (task, payload, key, queue, "runAt", priority, n)
    left join lateral (select w.id, w.run_at, w.priority, w.flags from graphile_worker._private_jobs w
      where w.key = j.key and w.locked_at is null limit 1) w on true
    where not coalesce(w.flags ? 'aside', false)
    order by j.n));
end $$;
create or replace function app.forget_jobs(before timestamptz, most int) returns int language plpgsql
  security definer set search_path = pg_catalog, pg_temp as $$
declare amount int;
begin
  delete from graphile_worker._private_jobs where id in (
    select id from graphile_worker._private_jobs
    where attempts >= max_attempts and locked_at is null and updated_at < before and not coalesce(flags ? 'aside', false)
    order by id limit most);
  get diagnostics amount = row_count;
  return amount;
end $$;
revoke create on schema app from guiche_worker;
