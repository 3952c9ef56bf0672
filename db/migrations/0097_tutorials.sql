-- What a company shows its people of how things are done: a link, often to a film, with a picture.
create table tutorials (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  title text not null check (title <> ''),
  description text not null default '',
  link text not null,
  is_active boolean not null default true,
  position int not null,
  file_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, file_id) references files (tenant_id, id)
);
create index tutorials_file on tutorials (tenant_id, file_id) where file_id is not null;
select app.protect('tutorials');
