-- Tasks of the team: who is to do what until when, and of which conversation or contact it is about.
create table tasks (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  name text not null check (name <> ''),
  description text not null default '',
  limit_date date not null,
  owner_id bigint,
  user_id bigint,
  status text not null default 'pending' check (status in ('delayed', 'pending', 'finished')),
  priority text not null default 'none' check (priority in ('high', 'medium', 'low', 'none')),
  comments text not null default '',
  -- Days between one and the next of those that were made together; 1: it is one by itself.
  recurrence integer not null default 1,
  recurrence_times integer not null default 1,
  ticket_id bigint,
  contact_id bigint,
  finished_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, owner_id) references users (tenant_id, id) on delete set null (owner_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete set null (user_id),
  foreign key (tenant_id, ticket_id) references tickets (tenant_id, id) on delete set null (ticket_id),
  foreign key (tenant_id, contact_id) references contacts (tenant_id, id) on delete set null (contact_id)
);
create index tasks_due on tasks (tenant_id, status, limit_date, id);
create index tasks_owner on tasks (tenant_id, owner_id, status, limit_date);
create index tasks_user on tasks (tenant_id, user_id);
create index tasks_ticket on tasks (tenant_id, ticket_id) where ticket_id is not null;
create index tasks_contact on tasks (tenant_id, contact_id) where contact_id is not null;

-- What became of tasks, which nothing changes any more.
create table task_logs (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  task_id bigint not null,
  type text not null check (type in ('created', 'changed', 'finished', 'reopened', 'delayed')),
  user_id bigint,
  changes jsonb not null default '{}',
  created_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, task_id) references tasks (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete set null (user_id)
);
create index task_logs_task on task_logs (tenant_id, task_id, id);
create index task_logs_user on task_logs (tenant_id, user_id);
select app.protect('tasks');
select app.protect('task_logs');
