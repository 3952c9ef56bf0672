-- On such a connection no assistant answers beside a person: attending a ticket switches its assistants off.
alter table connections add column disable_external_integration boolean not null default false;
