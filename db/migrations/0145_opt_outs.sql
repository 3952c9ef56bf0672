-- Who wants nothing more by a kind of channel that nobody wrote to them: a row for each number, which nothing changes.
create table opt_outs (
  tenant_id bigint not null references tenants (id) on delete cascade,
  channel text not null,
  -- As `phoneKey` writes it.
  phone text not null,
  -- The connection at which it was said, while it is there.
  connection_id bigint,
  created_at timestamptz not null default app.now(),
  primary key (tenant_id, channel, phone),
  foreign key (tenant_id, connection_id) references connections (tenant_id, id) on delete set null (connection_id)
);
create index on opt_outs (tenant_id, connection_id);
select app.protect('opt_outs');
