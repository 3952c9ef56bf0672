-- Fields of a company's own on its opportunities; `options` are the choices, one a line. `in_list`: shown on the card.
create table opportunity_fields (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  name text not null check (name <> ''),
  type text not null default 'text' check (type in ('text', 'number', 'date', 'choice', 'boolean')),
  options text not null default '',
  required boolean not null default false,
  in_list boolean not null default false,
  position integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  constraint opportunity_fields_name unique (tenant_id, name)
);
select app.protect('opportunity_fields');

-- Their values, as those of contacts are stored (contact_field_values).
create table opportunity_field_values (
  tenant_id bigint not null,
  opportunity_id bigint not null,
  field_id bigint not null,
  value text not null check (value <> ''),
  number double precision,
  sorted text collate "C" not null generated always as (left(app.fold(value), 200)) stored,
  primary key (tenant_id, opportunity_id, field_id),
  foreign key (tenant_id, opportunity_id) references opportunities (tenant_id, id) on delete cascade,
  foreign key (tenant_id, field_id) references opportunity_fields (tenant_id, id)
);
create index opportunity_field_values_sorted on opportunity_field_values (tenant_id, field_id, sorted, opportunity_id);
create index opportunity_field_values_number on opportunity_field_values (tenant_id, field_id, number, opportunity_id)
  where number is not null;
select app.protect('opportunity_field_values');

-- Lines of the history about such a field; a field that is deleted leaves its lines without a name.
alter table opportunity_history drop constraint opportunity_history_kind_check,
  add constraint opportunity_history_kind_check
    check (kind in ('created', 'stage', 'status', 'value', 'owner', 'forecast', 'field')),
  add column field_id bigint,
  add foreign key (tenant_id, field_id) references opportunity_fields (tenant_id, id) on delete set null (field_id);
create index opportunity_history_field on opportunity_history (tenant_id, field_id) where field_id is not null;

-- The one change of the append-only history: the texts of such lines are emptied when a person is erased.
create function app.erase_opportunity_texts(contacts bigint[]) returns void
  language sql security definer set search_path = public, app, pg_temp as $$
  update opportunity_history h set before = null, after = null
  from opportunities o
  where h.tenant_id = app.tenant() and h.kind = 'field' and o.tenant_id = h.tenant_id and o.id = h.opportunity_id
    and o.contact_id = any(contacts)
$$;
revoke execute on function app.erase_opportunity_texts(bigint[]) from public;
grant execute on function app.erase_opportunity_texts(bigint[]) to guiche_app;
