-- Until when a message waits on the server before it may leave: a scheduled one until its time, another one until whoever
-- wrote it can take it back no longer. Null: it never waited, or has taken its place in its conversation.
-- `cancel_on_reply`: the customer's word before that cancels it. `repeat` is an RRULE, counted from `repeat_from`.
alter table messages
  add column send_at timestamptz,
  add column cancel_on_reply boolean not null default false,
  add column repeat text,
  add column repeat_from timestamptz;
create index messages_due on messages (tenant_id, send_at) where status = 'pending' and send_at is not null;

-- Jobs that may wait behind others have a higher number. One that waits under the same key keeps the more urgent of the
-- two, and its turn (migration 0016).
grant create on schema app to guiche_worker;
create function app.add_job(task text, payload json, job_key text, queue text, run_at timestamptz, priority int)
  returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform graphile_worker.add_job(task, payload => payload, queue_name => queue, max_attempts => 5, job_key => job_key,
    run_at => coalesce(add_job.run_at, (select least(j.run_at, now()) from graphile_worker._private_jobs j
      where j.key = add_job.job_key and j.locked_at is null)),
    priority => least(add_job.priority, (select j.priority from graphile_worker._private_jobs j
      where j.key = add_job.job_key and j.locked_at is null))::int,
    job_key_mode => case when job_key is null then null else 'replace' end);
end $$;
alter function app.add_job(text, json, text, text, timestamptz, int) owner to guiche_worker;
revoke create on schema app from guiche_worker;
revoke execute on function app.add_job(text, json, text, text, timestamptz, int) from public;
grant execute on function app.add_job(text, json, text, text, timestamptz, int) to guiche_app, guiche_platform;
