-- Until when a connection was there last: what keeps it from coming back after it was given to another process, or was opened
-- anew, is an outage since then.
alter table connections add column last_connected_at timestamptz;
update connections c set last_connected_at = coalesce(
    (select o.began_at from connection_outages o
      where o.tenant_id = c.tenant_id and o.connection_id = c.id and o.ended_at is null), c.updated_at)
  where c.first_connected_at is not null;
