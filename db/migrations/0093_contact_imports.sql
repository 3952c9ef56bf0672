-- Contacts that come from a file or from a channel: what was asked for, how far it is, and what each line of the file comes to.
create table contact_imports (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id uuid not null,
  user_id bigint,
  kind text not null check (kind in ('csv', 'xlsx', 'vcf', 'contacts', 'groups')),
  file_id uuid,
  connection_id bigint,
  name text not null,
  columns jsonb not null default '[]',
  options jsonb not null default '{}',
  is_dry_run boolean not null,
  phase text not null check (phase in ('check', 'run', 'undo')),
  status text not null check (status in ('running', 'done', 'canceled', 'failed')),
  problem text not null default '',
  total integer not null default 0,
  created integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  rejected integer not null default 0,
  -- So far the lines were worked on, and so far the channel's list was read.
  done_row integer not null default 0,
  cursor text,
  done integer not null default 0,
  restored integer not null default 0,
  skipped integer not null default 0,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete set null (user_id),
  foreign key (tenant_id, file_id) references files (tenant_id, id),
  foreign key (tenant_id, connection_id) references connections (tenant_id, id) on delete cascade
);
create index contact_imports_newest on contact_imports (tenant_id, created_at desc, id);
create index contact_imports_user on contact_imports (tenant_id, user_id) where user_id is not null;
create index contact_imports_file on contact_imports (tenant_id, file_id) where file_id is not null;
create index contact_imports_connection on contact_imports (tenant_id, connection_id) where connection_id is not null;
select app.protect('contact_imports');

-- What a line would do, as the check found it. `content` is what it says of the contact; of a rejected line its cells, as
-- they stand in the file.
create table contact_import_rows (
  tenant_id bigint not null,
  import_id uuid not null,
  line integer not null,
  outcome text not null check (outcome in ('created', 'updated', 'unchanged', 'rejected')),
  content jsonb not null,
  problems jsonb not null default '[]',
  primary key (tenant_id, import_id, line),
  foreign key (tenant_id, import_id) references contact_imports (tenant_id, id) on delete cascade
);
create index contact_import_rows_rejected on contact_import_rows (tenant_id, import_id, line) where outcome = 'rejected';
select app.protect('contact_import_rows');

-- What was done, until it is taken back: contacts that were made (`before` is null) and fields that were changed.
create table contact_import_changes (
  tenant_id bigint not null,
  import_id uuid not null,
  contact_id bigint not null,
  before jsonb,
  after jsonb not null,
  primary key (tenant_id, import_id, contact_id),
  foreign key (tenant_id, import_id) references contact_imports (tenant_id, id) on delete cascade,
  foreign key (tenant_id, contact_id) references contacts (tenant_id, id) on delete cascade
);
create index contact_import_changes_contact on contact_import_changes (tenant_id, contact_id);
select app.protect('contact_import_changes');
