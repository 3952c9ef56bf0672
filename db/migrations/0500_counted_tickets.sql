-- Covers what reports count of a period's tickets.
drop index tickets_closed_begun;
create index tickets_closed_begun on tickets (tenant_id, created_at desc, id desc) include (is_group, closed_reason)
  where status = 'closed';
drop index tickets_closed_ended;
create index tickets_closed_ended on tickets (tenant_id, closed_at) include (is_group, closed_reason)
  where status = 'closed';
