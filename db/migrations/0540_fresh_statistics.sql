-- A company that the statistics of a table do not know seems to have one row there: any index that begins with the company
-- is as good as the right one, and each read by id walks all of its rows. So statistics follow after so many new rows, in a
-- large table too, and at once after an import.
alter table contacts set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 5000);
alter table contact_identities set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 5000);
alter table tickets set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 5000);
alter table opportunities set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 5000);
alter table dispatch_items set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 20000);
alter table messages set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000);

create function app.analyze_contacts() returns void language plpgsql
  security definer set search_path = pg_catalog, pg_temp as $$
begin
  analyze public.contacts;
  analyze public.contact_identities;
end $$;
revoke execute on function app.analyze_contacts() from public;
grant execute on function app.analyze_contacts() to guiche_app;
