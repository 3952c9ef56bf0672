-- Who takes part in groups, as their channels tell it. Whoever left is kept, because what they said names them.
create table group_members (
  tenant_id bigint not null,
  id bigint generated always as identity,
  -- The group, which is one contact.
  contact_id bigint not null,
  identity text not null,
  name text not null check (name <> ''),
  number text,
  is_admin boolean not null default false,
  is_member boolean not null default true,
  -- When the last change of membership was, by the provider's clock: what is older changes nothing.
  changed_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  constraint group_members_identity unique (tenant_id, contact_id, identity),
  foreign key (tenant_id, contact_id) references contacts (tenant_id, id) on delete cascade
);
select app.protect('group_members');

-- Who of a group said it, `{ id, identity, name, number }`, and whom it mentions, `{ people, everyone }`.
alter table messages
  add column sender jsonb,
  add column mentions jsonb;

-- Who of a group said what its list shows.
alter table tickets add column last_message_sender text;

-- A group of virtual phones is a phone itself; what is written there has a sender.
alter table lab_phones add column is_group boolean not null default false;
create table lab_group_members (
  tenant_id bigint not null,
  group_id bigint not null,
  phone_id bigint not null,
  is_admin boolean not null,
  primary key (tenant_id, group_id, phone_id),
  foreign key (tenant_id, group_id) references lab_phones (tenant_id, id) on delete cascade,
  foreign key (tenant_id, phone_id) references lab_phones (tenant_id, id) on delete cascade
);
create index lab_group_members_phone on lab_group_members (tenant_id, phone_id);
select app.protect('lab_group_members');
alter table lab_messages
  add column sender jsonb,
  add column mentions jsonb;
