-- How often a ticket's customer was told that nobody is there.
alter table tickets add column absences int not null default 0;
