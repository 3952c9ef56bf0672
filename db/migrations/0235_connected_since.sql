-- Since when a connection is there: what was said while it was away comes in right after.
alter table connections add column connected_at timestamptz;
