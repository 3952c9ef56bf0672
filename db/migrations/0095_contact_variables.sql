-- What texts call a field of the company's own by: made from its first name, and kept when it is renamed, so that no text
-- loses its value. One that is taken gets the field's id behind it, after two strokes, which no other name has.
alter table contact_fields add column variable text;

create function app.variable_of(name text) returns text language sql immutable set search_path = public, app, pg_temp as $$
  select coalesce(nullif(trim(both '_' from left(regexp_replace(app.fold(name), '[^a-z0-9]+', '_', 'g'), 40)), ''), 'campo')
$$;

update contact_fields f set variable = app.variable_of(f.name) || case when exists (
  select from contact_fields o where o.tenant_id = f.tenant_id and o.id < f.id and app.variable_of(o.name) = app.variable_of(f.name)
) then '__' || f.id else '' end;

alter table contact_fields alter column variable set not null,
  add constraint contact_fields_variable unique (tenant_id, variable);

create function app.name_contact_field() returns trigger language plpgsql set search_path = public, app, pg_temp as $$
begin
  new.variable := app.variable_of(new.name);
  if exists (select from contact_fields where tenant_id = new.tenant_id and variable = new.variable) then
    new.variable := new.variable || '__' || new.id;
  end if;
  return new;
end $$;
create trigger name_of_new before insert on contact_fields for each row execute function app.name_contact_field();
