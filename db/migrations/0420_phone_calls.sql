-- By what its provider knows a phone call: written once the call has begun, found again by the report of its end.
alter table assistant_calls add external_id text;
create unique index assistant_calls_external on assistant_calls (tenant_id, external_id) where external_id is not null;
