-- What became of a contact, field by field: who changed what, and what stood there before. Nobody: by itself.
create table contact_changes (
  tenant_id bigint not null,
  id bigint generated always as identity,
  contact_id bigint not null,
  user_id bigint,
  field text not null,
  before text not null,
  after text not null,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, contact_id) references contacts (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete set null (user_id)
);
create index contact_changes_contact on contact_changes (tenant_id, contact_id, id desc);
create index contact_changes_user on contact_changes (tenant_id, user_id) where user_id is not null;
select app.protect('contact_changes');
