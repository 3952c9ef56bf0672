-- Jobs that are put aside (`flags`), as the journal's list shows them: of the company, or of all for the platform; and their
-- next try. A job's id is the end of a uuid.
grant create on schema app to guiche_worker;
create function app.all_jobs_aside() returns table (id uuid, tenant_id bigint, task text, error text, attempts int, received_at timestamptz, set_aside_at timestamptz)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query select ('00000000-0000-4000-8000-' || lpad(to_hex(j.id), 12, '0'))::uuid, (j.payload ->> 'tenantId')::bigint, t.identifier,
    coalesce(j.last_error, ''), 3, j.created_at, j.updated_at
  from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
  where j.flags ? 'aside';
end $$;
create function app.jobs_aside() returns table (id uuid, tenant_id bigint, task text, error text, attempts int, received_at timestamptz, set_aside_at timestamptz)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query select * from app.all_jobs_aside() j where j.tenant_id = app.tenant();
end $$;
create function app.retry_jobs(ids uuid[], most int) returns int language plpgsql
  security definer set search_path = pg_catalog, pg_temp as $$
declare amount int;
begin
  update graphile_worker._private_jobs w set attempts = 0, last_error = null, run_at = now(), flags = w.flags - 'aside' - 'alone3'
  where ('00000000-0000-4000-8000-' || lpad(to_hex(w.id), 12, '0'))::uuid in (
    select j.id from app.jobs_aside() j where ids is null or j.id = any(ids) order by j.set_aside_at limit most);
  get diagnostics amount = row_count;
  return amount;
end $$;
alter function app.all_jobs_aside() owner to guiche_worker;
alter function app.jobs_aside() owner to guiche_worker;
alter function app.retry_jobs(uuid[], int) owner to guiche_worker;
revoke create on schema app from guiche_worker;
revoke execute on function app.all_jobs_aside(), app.jobs_aside(), app.retry_jobs(uuid[], int) from public;
grant execute on function app.all_jobs_aside() to guiche_platform;
grant execute on function app.jobs_aside(), app.retry_jobs(uuid[], int) to guiche_app, guiche_platform;
