-- When a connection was away, and why; what came in after its return that was said meanwhile (`recovered`), and how much of it
-- its channel could not give (`missing`, null where it could not say). `checked_at` is null until it has said so at all.
create table connection_outages (
  tenant_id bigint not null,
  id bigint not null generated always as identity,
  connection_id bigint not null,
  cause text not null,
  began_at timestamptz not null,
  ended_at timestamptz,
  recovered integer,
  missing integer,
  checked_at timestamptz,
  noticed_at timestamptz,
  mailed_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, connection_id) references connections (tenant_id, id) on delete cascade
);
create unique index connection_outages_open on connection_outages (tenant_id, connection_id) where ended_at is null;
create index connection_outages_connection on connection_outages (tenant_id, connection_id, id desc);
create index connection_outages_waiting on connection_outages (began_at) where ended_at is null and mailed_at is null;
select app.protect('connection_outages');
