-- A job that waits keeps its turn when it is recorded again: under load it was put last each time, and never came. At a
-- time that was asked for it runs at that time, as before; one that waits for later runs now when "now" is asked for.
create or replace function app.add_job(task text, payload json, job_key text default null, queue text default null, run_at timestamptz default null)
  returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform graphile_worker.add_job(task, payload => payload, queue_name => queue, max_attempts => 5, job_key => job_key,
    run_at => coalesce(add_job.run_at, (select least(j.run_at, now()) from graphile_worker._private_jobs j
      where j.key = add_job.job_key and j.locked_at is null)),
    job_key_mode => case when job_key is null then null else 'replace' end);
end $$;
