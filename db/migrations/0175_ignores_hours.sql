-- Who writes by such a connection is answered as within the company's hours, whatever the time (product facts 5.2).
alter table connections add column ignores_hours boolean not null default false;
