-- Stages of the kanban, in the order in which people put them.
create table stages (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  name text not null check (name <> ''),
  color text not null,
  position integer not null,
  created_at timestamptz not null default app.now(),
  updated_at timestamptz not null default app.now(),
  primary key (tenant_id, id),
  constraint stages_name unique (tenant_id, name)
);
select app.protect('stages');

-- The stage is the contact's, with a place of its own in it: keys compare byte by byte, and one can always be made between
-- two others (domain/kanban/order.ts). Without a stage there is no order: the newest contact comes first.
alter table contacts add column kanban_order text collate "C";
alter table contacts add constraint contacts_staged check ((kanban is null) = (kanban_order is null));
alter table contacts add constraint contacts_stage foreign key (tenant_id, kanban) references stages (tenant_id, id);
create unique index contacts_in_stage on contacts (tenant_id, kanban, kanban_order) where kanban is not null;
create index contacts_unstaged on contacts (tenant_id, id) where kanban is null;

-- Tickets carry a copy by which lists are narrowed; a closed one keeps that of its end, until the stage is gone.
alter table tickets add constraint tickets_stage foreign key (tenant_id, kanban) references stages (tenant_id, id)
  on delete set null (kanban);
create index tickets_in_stage on tickets (tenant_id, kanban) where kanban is not null;
create index tickets_live_of_contact on tickets (tenant_id, contact_id) where status in ('open', 'pending');

-- Whoever opens a ticket, or opens it anew: it begins in the stage of its contact.
create function app.copy_stage() returns trigger language plpgsql set search_path = public, app, pg_temp as $$
begin
  new.kanban := (select c.kanban from contacts c where c.tenant_id = new.tenant_id and c.id = new.contact_id);
  return new;
end $$;
create trigger stage_of_new before insert on tickets
  for each row when (new.status <> 'closed' and new.kanban is null) execute function app.copy_stage();
create trigger stage_of_reopened before update of status on tickets
  for each row when (old.status = 'closed' and new.status <> 'closed') execute function app.copy_stage();

-- The board by tags shows the newest contacts of each tag first.
create index contact_tags_newest on contact_tags (tenant_id, tag_id, contact_id);
drop index contact_tags_tag;
