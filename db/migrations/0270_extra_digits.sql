-- Mobiles of Mexico and Argentina are written with a digit more or less, as those of Brazil are.
drop index tickets_one_line, contacts_line;
create or replace function app.line_of(address text) returns text language sql immutable parallel safe strict
  as $$ select regexp_replace(regexp_replace(regexp_replace(address,
      '^(55[1-9]\d)9([6-9]\d{7}(@s\.whatsapp\.net|@c\.us)?)$', '\1\2'),
      '^(52)1([1-9]\d{9}(@s\.whatsapp\.net|@c\.us)?)$', '\1\2'),
      '^(54)9([1-9]\d{9}(@s\.whatsapp\.net|@c\.us)?)$', '\1\2') $$;

-- Conversations that are there twice, once in each spelling: the newest goes on, the others keep their messages, closed.
with doubled as (
  update tickets t set status = 'closed', closed_at = now(), waiting_since = null, updated_at = now()
  where t.status in ('open', 'pending') and t.conversation_key ~ '^5[24]' and exists (
    select from tickets o
    where o.tenant_id = t.tenant_id and o.connection_id = t.connection_id and o.status in ('open', 'pending')
      and o.id > t.id and app.line_of(o.conversation_key) = app.line_of(t.conversation_key))
  returning t.tenant_id, t.id, t.queue_id)
insert into ticket_logs (tenant_id, ticket_id, type, queue_id) select tenant_id, id, 'closed', queue_id from doubled;

create unique index tickets_one_line on tickets (tenant_id, app.line_of(conversation_key), connection_id)
  where status in ('open', 'pending');
create index contacts_line on contacts (tenant_id, app.line_of(number), id) include (number, merged_into)
  where number is not null and not is_group;
