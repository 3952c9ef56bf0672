-- Came by an imported list without a declared source: gets no marketing before they agree or write.
alter table contacts add column needs_source boolean not null default false;
