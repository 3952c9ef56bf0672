-- What came at the address that a connection's provider calls and went nowhere: calls that were refused, and (by their names)
-- what is of no kind that is read, or lacked what it ought to have.
alter table connections add column refused_calls bigint not null default 0;
alter table connections add column unread jsonb not null default '{}';
