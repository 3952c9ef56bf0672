-- What changed of tickets without moving them in lists, or beside them: the days on which they began are counted anew.
create table report_changes (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  began_at timestamptz not null,
  at timestamptz not null,
  primary key (tenant_id, id)
);
select app.protect('report_changes');

create function app.note_reported(company bigint, began timestamptz) returns void language sql as $$
  insert into public.report_changes (tenant_id, began_at, at)
  select tenant_id, began, app.now() from public.report_state where tenant_id = company $$;

create function app.note_reported_ticket() returns trigger language plpgsql as $$
begin
  perform app.note_reported(old.tenant_id, old.created_at);
  return null;
end $$;
-- None of these columns is written by a message that arrives.
create trigger note_reported
  after update of value, reason_id, user_id, queue_id, connection_id, channel, is_active_demand on tickets for each row
  when ((old.value, old.reason_id, old.user_id, old.queue_id, old.connection_id, old.channel, old.is_active_demand)
      is distinct from (new.value, new.reason_id, new.user_id, new.queue_id, new.connection_id, new.channel, new.is_active_demand)
    and old.updated_at is not distinct from new.updated_at)
  execute function app.note_reported_ticket();
create trigger note_reported_removal after delete on tickets for each row execute function app.note_reported_ticket();

create function app.note_reported_rating() returns trigger language plpgsql as $$
declare rated record := coalesce(new, old);
begin
  perform app.note_reported(tenant_id, created_at) from public.tickets
  where tenant_id = rated.tenant_id and id = rated.ticket_id;
  return null;
end $$;
create trigger note_reported after insert or delete or update of evaluation on ticket_evaluations for each row
  execute function app.note_reported_rating();
