-- A channel's name of a conversation, for Brazilian mobiles without the ninth digit; as domain/phone/brazil.ts spells it.
create function app.line_of(address text) returns text language sql immutable parallel safe strict
  as $$ select regexp_replace(address, '^(55[1-9]\d)9([6-9]\d{7}(@s\.whatsapp\.net|@c\.us)?)$', '\1\2') $$;

-- Conversations that stand twice, once in each spelling: the newest goes on, the others keep their messages, closed.
with doubled as (
  update tickets t set status = 'closed', closed_at = now(), waiting_since = null, updated_at = now()
  where t.status in ('open', 'pending') and exists (
    select from tickets o
    where o.tenant_id = t.tenant_id and o.connection_id = t.connection_id and o.status in ('open', 'pending')
      and o.id > t.id and app.line_of(o.conversation_key) = app.line_of(t.conversation_key))
  returning t.tenant_id, t.id, t.queue_id)
insert into ticket_logs (tenant_id, ticket_id, type, queue_id) select tenant_id, id, 'closed', queue_id from doubled;

-- Decision B19, of lines: one open or pending ticket, with the ninth digit or without it, whatever races.
create unique index tickets_one_line on tickets (tenant_id, connection_id, app.line_of(conversation_key))
  where status in ('open', 'pending');

-- A private fast reply takes its key from nobody else.
alter table fast_replies drop constraint fast_replies_key;
create unique index fast_replies_key on fast_replies (tenant_id, key) where is_public;
create unique index fast_replies_own_key on fast_replies (tenant_id, user_id, key) where not is_public;

-- Nightly upkeep (decision B28): keys that are over, and jobs that failed for good.
create index directory_expiry on directory (expires_at) where expires_at is not null;
-- `refs` counts holders that no foreign key tells of; there are none.
update files set refs = 0;
create function app.forget_jobs(before timestamptz, most int) returns int language plpgsql
  security definer set search_path = pg_catalog, pg_temp as $$
declare amount int;
begin
  delete from graphile_worker._private_jobs where id in (
    select id from graphile_worker._private_jobs
    where attempts >= max_attempts and locked_at is null and updated_at < before order by id limit most);
  get diagnostics amount = row_count;
  return amount;
end $$;
grant create on schema app to guiche_worker;
alter function app.forget_jobs(timestamptz, int) owner to guiche_worker;
revoke create on schema app from guiche_worker;
revoke execute on function app.forget_jobs(timestamptz, int) from public;
grant execute on function app.forget_jobs(timestamptz, int) to guiche_platform;
