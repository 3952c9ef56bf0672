-- Files that a connection's provider holds: by their content, under which id it knows them, and until when that is used.
create table channel_uploads (
  tenant_id bigint not null references tenants (id) on delete cascade,
  connection_id bigint not null,
  -- Hash, type and kind of the file.
  content text not null,
  provider_id text not null,
  used_until timestamptz not null,
  primary key (tenant_id, connection_id, content),
  foreign key (tenant_id, connection_id) references connections (tenant_id, id) on delete cascade
);
select app.protect('channel_uploads');
