-- Values of a company's own that its texts may use by name.
create table template_constants (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  name text not null check (name <> ''),
  value text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  constraint template_constants_name unique (tenant_id, name)
);
select app.protect('template_constants');

-- A quick reply may be of one queue's conversations (null: of all), bring files, send its audio as if it were recorded, and
-- counts how often it left.
alter table fast_replies
  add column queue_id bigint,
  add column voice boolean not null default false,
  add column uses int not null default 0,
  add constraint fast_replies_queue foreign key (tenant_id, queue_id) references queues (tenant_id, id)
    on delete set null (queue_id);
create index fast_replies_queue on fast_replies (tenant_id, queue_id);

create table fast_reply_files (
  tenant_id bigint not null,
  fast_reply_id bigint not null,
  file_id uuid not null,
  position int not null,
  primary key (tenant_id, fast_reply_id, file_id),
  foreign key (tenant_id, fast_reply_id) references fast_replies (tenant_id, id) on delete cascade,
  foreign key (tenant_id, file_id) references files (tenant_id, id)
);
create index fast_reply_files_file on fast_reply_files (tenant_id, file_id);
select app.protect('fast_reply_files');
