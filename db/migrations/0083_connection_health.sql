-- Since when it is known how a connection stands, and the outages of the last hours for all of them.
alter table connections add column first_connected_at timestamptz;
update connections c set first_connected_at = c.created_at
  where c.status = 'CONNECTED'
    or exists (select from connection_outages o where o.tenant_id = c.tenant_id and o.connection_id = c.id);
create index connection_outages_recent on connection_outages (tenant_id, (coalesce(ended_at, 'infinity'::timestamptz)));
