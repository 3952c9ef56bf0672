-- Whom a company has forgotten: what went is counted, and who they were stands nowhere but in keyed hashes of their addresses.
create table forgotten_contacts (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  contact_id bigint not null,
  user_id bigint,
  user_name text not null,
  counts jsonb not null,
  fingerprints jsonb not null,
  signature text not null,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete set null (user_id)
);
create index forgotten_contacts_contact on forgotten_contacts (tenant_id, contact_id);
create index forgotten_contacts_user on forgotten_contacts (tenant_id, user_id) where user_id is not null;
select app.protect('forgotten_contacts');
