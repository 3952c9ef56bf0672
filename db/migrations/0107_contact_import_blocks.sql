-- What an import writes is kept by blocks of lines instead of a row each: what is still to be written, and whom it made.
-- `line` is the block's first line; of a channel's address book, how many people were met before it.
create table contact_import_blocks (
  tenant_id bigint not null,
  import_id uuid not null,
  line integer not null,
  lines jsonb not null default '[]',
  made bigint[] not null default '{}',
  primary key (tenant_id, import_id, line),
  foreign key (tenant_id, import_id) references contact_imports (tenant_id, id) on delete cascade
);
select app.protect('contact_import_blocks');

insert into contact_import_blocks (tenant_id, import_id, line, lines)
select tenant_id, import_id, min(line), jsonb_agg(jsonb_build_object('line', line, 'content', content) order by line)
from (
  select r.*, row_number() over (partition by r.tenant_id, r.import_id order by r.line) - 1 as at
  from contact_import_rows r join contact_imports i on i.tenant_id = r.tenant_id and i.id = r.import_id
  where r.outcome in ('created', 'updated') and (i.phase = 'check' or (i.phase = 'run' and i.status = 'running' and r.line > i.done_row))
) waiting group by tenant_id, import_id, at / 500;

-- Before all lines that wait.
insert into contact_import_blocks (tenant_id, import_id, line, made)
select tenant_id, import_id, -1 - at / 500, array_agg(contact_id order by contact_id)
from (
  select *, row_number() over (partition by tenant_id, import_id order by contact_id) - 1 as at
  from contact_import_changes where before is null
) made group by tenant_id, import_id, at / 500;

-- From here on rows are those that were rejected, and changes those of who was there already.
delete from contact_import_rows where outcome <> 'rejected';
alter table contact_import_rows drop column outcome;
alter table contact_import_rows rename column content to cells;
delete from contact_import_changes where before is null;
alter table contact_import_changes alter column before set not null;
