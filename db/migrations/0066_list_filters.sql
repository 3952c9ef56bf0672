-- The tab of what chat flows attend, in the orders of the lists, and the one of what is snoozed in the order that it lacked:
-- both are few, and no message changes which they are.
create index tickets_in_flow on tickets (tenant_id, updated_at desc, id desc)
  where chat_flow_id is not null and status = 'pending';
create index tickets_in_flow_talking on tickets (tenant_id, last_message_at desc, id desc)
  where chat_flow_id is not null and status = 'pending' and last_message_at > '-infinity';
create index tickets_snoozed_talking on tickets (tenant_id, last_message_at desc, id desc)
  where snoozed_until is not null and last_message_at > '-infinity';

-- What lives apart from what is closed, in both orders: a list of one reads nothing of the other, and a message writes into one
-- index less. The predicates on a time are as in 0029_many_companies.sql.
create index tickets_closed on tickets (tenant_id, updated_at desc, id desc) where status = 'closed';
create index tickets_live_talking on tickets (tenant_id, last_message_at desc, id desc)
  where status in ('open', 'pending') and last_message_at > '-infinity';
create index tickets_closed_talking on tickets (tenant_id, last_message_at desc, id desc)
  where status = 'closed' and last_message_at > '-infinity';
drop index tickets_all, tickets_last_message;

-- Of which channel and in which stage a live ticket is, is read in the index: a list that is narrowed to one looks at no row
-- of another. No message changes either.
create index tickets_live_keys on tickets (tenant_id, updated_at desc, id desc, connection_id, kanban)
  where status in ('open', 'pending');
create index tickets_open_keys on tickets (tenant_id, updated_at desc, id desc, connection_id, kanban) where status = 'open';
create index tickets_pending_keys on tickets (tenant_id, updated_at desc, id desc, connection_id, kanban)
  where status = 'pending';
drop index tickets_live, tickets_open, tickets_pending;
alter index tickets_live_keys rename to tickets_live;
alter index tickets_open_keys rename to tickets_open;
alter index tickets_pending_keys rename to tickets_pending;
