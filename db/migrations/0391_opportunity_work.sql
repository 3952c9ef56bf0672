-- The opportunity that a task is about; the task has its contact too.
alter table tasks add column opportunity_id bigint,
  add foreign key (tenant_id, opportunity_id) references opportunities (tenant_id, id) on delete set null (opportunity_id);
create index tasks_opportunity on tasks (tenant_id, opportunity_id) where opportunity_id is not null;

-- Notes of the team on opportunities.
create table opportunity_notes (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  opportunity_id bigint not null,
  user_id bigint,
  text text not null check (text <> ''),
  created_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, opportunity_id) references opportunities (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete set null (user_id)
);
create index opportunity_notes_card on opportunity_notes (tenant_id, opportunity_id, id);
create index opportunity_notes_user on opportunity_notes (tenant_id, user_id);
select app.protect('opportunity_notes');
