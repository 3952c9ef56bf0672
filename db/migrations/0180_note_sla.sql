-- Run for every change of a ticket: names its schemas itself, since setting the path at each call takes longer than the look.
create or replace function app.note_sla() returns trigger language plpgsql as $$
begin
  if exists (select from public.sla_policies where tenant_id = new.tenant_id and is_active) then
    insert into public.sla_changes (tenant_id, ticket_id, at, is_new, facts)
    values (new.tenant_id, new.id, app.now(), tg_op = 'INSERT', jsonb_build_object(
      'isLive', new.status <> 'closed', 'isPaused', new.paused_at is not null,
      'isByBot', new.chat_flow_id is not null and new.status = 'pending', 'queueId', new.queue_id,
      'waitingSince', round(extract(epoch from new.waiting_since) * 1000), 'isAnswered', new.answered));
  end if;
  return null;
end $$;
