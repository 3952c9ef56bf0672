-- How long each role may wait and work. A process that freezes in the middle of a transaction stands in the way of its
-- company's others (the changes feed's row) for five seconds at most; who waits for its lock is told after two, and tries
-- again. What is known to take longer sets its own limit within its transaction. Kept with the role and not with the
-- connection, so that they hold for every program and pass a pooler. Where the roles are somebody else's, they are theirs
-- to limit.
do $$
declare
  role text;
  limits text;
begin
  foreach role in array array['guiche_app', 'guiche_platform', 'guiche_worker'] loop
    foreach limits in array array['idle_in_transaction_session_timeout = ''5s''', 'lock_timeout = ''2s''', 'statement_timeout = ''12s'''] loop
      execute format('alter role %I set ', role) || limits;
    end loop;
  end loop;
exception when insufficient_privilege then
  raise notice 'the roles cannot be changed here: %', sqlerrm;
end $$;

-- A webchat channel's public token stands or falls with its channel, too (decision 0009); what an external provider knows
-- of a person can only be forgotten this way.
create or replace function app.keep_in_directory(
  kept_kind text, subject bigint, keys bytea[], until timestamptz default null)
  returns bytea[] language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare own bigint := app.tenant();
begin
  if kept_kind not in ('login', 'invite', 'webchat_channel') and not (kept_kind = 'oidc' and keys = '{}') then
    raise exception 'the application keeps no % in the directory', kept_kind;
  end if;
  delete from public.directory
    where tenant_id = own and kind = kept_kind and subject_id = subject::text and key_hash <> all (keys);
  insert into public.directory (kind, key_hash, tenant_id, subject_id, expires_at)
    select kept_kind, key, own, subject::text, until from unnest(keys) key order by key
    on conflict (kind, key_hash) do nothing;
  return array(
    select key from unnest(keys) key where not exists (
      select from public.directory
      where kind = kept_kind and key_hash = key and tenant_id = own and subject_id = subject::text));
end $$;
