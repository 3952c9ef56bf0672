-- How often a ticket's customer was told that nobody is there.
alter table tickets add column absences int not null default 0;

-- Conversations in which nobody waits for us, the longest quiet first: what a timer resolves. Not groups.
create index tickets_quiet on tickets (tenant_id, last_message_at)
  where status in ('open', 'pending') and waiting_since is null and not is_group;
