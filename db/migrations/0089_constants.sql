-- Values of a company's own that its texts may use by name.
create table template_constants (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  name text not null check (name <> ''),
  value text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  constraint template_constants_name unique (tenant_id, name)
);
select app.protect('template_constants');
