-- Contacts are listed as people read names: Álvaro before Bruna, ana beside Ana. Stored, because row policies allow no
-- function in an index condition.
alter table contacts add column sort_name text not null generated always as (app.fold(name)) stored;
create index contacts_sorted on contacts (tenant_id, sort_name, id);
drop index contacts_name;
