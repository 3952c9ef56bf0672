-- Of what time an import brings messages (a null end is open), and whether those of groups.
alter table history_imports
  add column since timestamptz,
  add column until timestamptz,
  add column has_groups boolean not null default true;
