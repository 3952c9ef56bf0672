-- The jobs that one unit of work records, in one call, in their order: each as app.add_job records it (migrations 0016,
-- 0037). A key may stand in them once.
grant create on schema app to guiche_worker;
create function app.add_jobs(jobs json) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform graphile_worker.add_jobs(array(
    select (j.task, j.payload, j.queue,
        coalesce(j."runAt", (select least(w.run_at, now()) from graphile_worker._private_jobs w where w.key = j.key and w.locked_at is null)),
        5::smallint, j.key,
        case when j.priority is not null then
          least(j.priority, (select w.priority from graphile_worker._private_jobs w where w.key = j.key and w.locked_at is null)) end::smallint,
        null::text[])::graphile_worker.job_spec
    from rows from (json_to_recordset(jobs) as (task text, payload json, key text, queue text, "runAt" timestamptz, priority int))
      with ordinality as j (task, payload, key, queue, "runAt", priority, n)
    order by j.n));
end $$;
alter function app.add_jobs(json) owner to guiche_worker;
revoke create on schema app from guiche_worker;
revoke execute on function app.add_jobs(json) from public;
grant execute on function app.add_jobs(json) to guiche_app, guiche_platform;
