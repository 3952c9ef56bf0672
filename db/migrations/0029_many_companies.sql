-- A list is walked by what its viewer may see: own tickets, queues, groups; each with its status in the order of the list.
-- What a company's queues hold of closed tickets, and what other people have, is not looked at.
create index tickets_of_owner on tickets (tenant_id, user_id, status, updated_at desc, id desc);
create index tickets_of_queue on tickets (tenant_id, queue_id, status, updated_at desc, id desc);
create index tickets_of_groups on tickets (tenant_id, status, updated_at desc, id desc) where is_group;
-- The same where lists are ordered by the last message. The predicate always holds: it keeps them for those who name it, as
-- the planner cannot tell them from the others where it believes that there is little to sort.
create index tickets_of_owner_talking on tickets (tenant_id, user_id, status, last_message_at desc, id desc)
  where last_message_at > '-infinity';
create index tickets_of_queue_talking on tickets (tenant_id, queue_id, status, last_message_at desc, id desc)
  where last_message_at > '-infinity';
create index tickets_of_groups_talking on tickets (tenant_id, status, last_message_at desc, id desc)
  where is_group and last_message_at > '-infinity';
drop index tickets_owner, tickets_queue;

-- An index that begins with a channel is walked for the whole channel as soon as the planner believes that channels are
-- small, which they are among many companies: this one begins with the line.
create unique index tickets_one_line_of on tickets (tenant_id, app.line_of(conversation_key), connection_id)
  where status in ('open', 'pending');
drop index tickets_one_line;
alter index tickets_one_line_of rename to tickets_one_line;

-- Room for the next version of a row beside it, where only its tick, its count or its assistants change; and what is dead is
-- cleared away before there is a fifth of the table of it.
alter table tickets set (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02);
alter table journal set (autovacuum_vacuum_scale_factor = 0.02);
