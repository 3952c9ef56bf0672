-- Whether an assistant attends a ticket: one is on, and none failed in it last.
create function app.is_assisted(switches jsonb) returns boolean immutable language sql as $$
  select jsonb_path_exists(switches, '$.* ? (@ == true)') and not switches @> '{"failed": true}' $$;

-- An assistant is a bot to the clocks, as a chat flow is.
create or replace function app.note_sla() returns trigger language plpgsql as $$
begin
  if exists (select from public.sla_policies where tenant_id = new.tenant_id and is_active) then
    insert into public.sla_changes (tenant_id, ticket_id, at, is_new, facts)
    values (new.tenant_id, new.id, app.now(), tg_op = 'INSERT', jsonb_build_object(
      'isLive', new.status <> 'closed', 'isPaused', new.paused_at is not null,
      'isByBot', new.status = 'pending' and (new.chat_flow_id is not null or app.is_assisted(new.assistants)),
      'queueId', new.queue_id,
      'waitingSince', round(extract(epoch from new.waiting_since) * 1000), 'isAnswered', new.answered));
  end if;
  return null;
end $$;
drop trigger note_sla on tickets;
create trigger note_sla
  after update of status, queue_id, waiting_since, answered, paused_at, chat_flow_id, assistants on tickets for each row
  when (not new.is_group and (old.status, old.queue_id, old.waiting_since, old.answered, old.paused_at, old.chat_flow_id, old.assistants)
    is distinct from (new.status, new.queue_id, new.waiting_since, new.answered, new.paused_at, new.chat_flow_id, new.assistants))
  execute function app.note_sla();
