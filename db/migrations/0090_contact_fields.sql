-- How its channel calls a contact, and whether its name came from there: only such a name follows what the channel says.
alter table contacts add column pushname text not null default '', add column is_named_by_channel boolean not null default false;

-- How often people have changed a contact, and who did last: an undo of many refuses what somebody has changed since.
alter table contacts add column revision integer not null default 0, add column changed_by bigint,
  add column changed_at timestamptz;
alter table contacts add constraint contacts_changed_by foreign key (tenant_id, changed_by)
  references users (tenant_id, id) on delete set null (changed_by);
create index contacts_changed_by on contacts (tenant_id, changed_by) where changed_by is not null;

-- Of the many contacts few are blocked, or groups.
create index contacts_blocked on contacts (tenant_id, id) where blocked;
create index contacts_chatbot_blocked on contacts (tenant_id, id) where chatbot_blocked;
create index contacts_groups on contacts (tenant_id, id) where is_group;

-- Fields of a company's own on its contacts; `options` are the choices, one a line.
create table contact_fields (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  name text not null check (name <> ''),
  type text not null default 'text' check (type in ('text', 'number', 'date', 'choice', 'boolean')),
  options text not null default '',
  required boolean not null default false,
  in_list boolean not null default false,
  position integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  constraint contact_fields_name unique (tenant_id, name)
);
select app.protect('contact_fields');

-- What a contact has in them: the value as text (a day as YYYY-MM-DD, true or false), numbers also as numbers. Filters go
-- along the folded text, or along the number.
create table contact_field_values (
  tenant_id bigint not null,
  contact_id bigint not null,
  field_id bigint not null,
  value text not null check (value <> ''),
  number double precision,
  sorted text collate "C" not null generated always as (left(app.fold(value), 200)) stored,
  primary key (tenant_id, contact_id, field_id),
  foreign key (tenant_id, contact_id) references contacts (tenant_id, id) on delete cascade,
  foreign key (tenant_id, field_id) references contact_fields (tenant_id, id)
);
create index contact_field_values_sorted on contact_field_values (tenant_id, field_id, sorted, contact_id);
create index contact_field_values_number on contact_field_values (tenant_id, field_id, number, contact_id) where number is not null;
select app.protect('contact_field_values');

-- Lists of contacts that somebody keeps under a name, for themselves or for the company; `filter` is the list's query as data.
create table contact_views (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  name text not null check (name <> ''),
  filter jsonb not null default '{}',
  audience text not null default 'person' check (audience in ('person', 'company')),
  user_id bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete set null (user_id)
);
create index contact_views_user on contact_views (tenant_id, user_id);
select app.protect('contact_views');
