-- The day of the year of a birthday (MM-DD), for whoever looks for those of some days.
alter table contacts add column birth_day text not null generated always as (substr(birthday_date, 6)) stored;
create index contacts_birth_day on contacts (tenant_id, birth_day, id)
  where birth_day <> '' and not is_group and merged_into is null;

-- Whether a connection congratulates by itself, from which hour on, and with what.
create table birthday_settings (
  tenant_id bigint not null,
  connection_id bigint not null,
  is_on boolean not null,
  hour integer not null check (hour between 0 and 23),
  message text not null,
  file_id uuid,
  updated_at timestamptz not null,
  primary key (tenant_id, connection_id),
  foreign key (tenant_id, connection_id) references connections (tenant_id, id) on delete cascade,
  foreign key (tenant_id, file_id) references files (tenant_id, id)
);
create index birthday_settings_file on birthday_settings (tenant_id, file_id) where file_id is not null;
select app.protect('birthday_settings');

-- That somebody was congratulated in a year, or why not (`code`): once, whoever tries.
create table birthday_greetings (
  tenant_id bigint not null,
  contact_id bigint not null,
  year integer not null,
  connection_id bigint not null,
  code text not null,
  created_at timestamptz not null,
  primary key (tenant_id, contact_id, year),
  foreign key (tenant_id, contact_id) references contacts (tenant_id, id) on delete cascade,
  foreign key (tenant_id, connection_id) references connections (tenant_id, id) on delete cascade
);
create index birthday_greetings_connection on birthday_greetings (tenant_id, connection_id);
select app.protect('birthday_greetings');
