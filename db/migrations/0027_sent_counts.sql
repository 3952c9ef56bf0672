-- How often each kind of message that has a limit was said in a ticket, by its kind (`{"absence": 1}`). It takes the place of
-- `absences`, which the version before goes on counting in.
alter table tickets add column sent_counts jsonb not null default '{}';
update tickets set sent_counts = jsonb_build_object('absence', absences) where absences > 0 and status <> 'closed';
