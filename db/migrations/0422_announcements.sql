-- Announcements of the installation: a row per person, unread until that person confirms.
create table announcements (
  tenant_id bigint not null,
  id bigint generated always as identity,
  -- The same for all who were told at once.
  batch uuid not null,
  user_id bigint not null,
  message text not null,
  author_name text not null,
  is_read boolean not null default false,
  created_at timestamptz not null,
  read_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create unique index announcements_batch on announcements (tenant_id, batch, user_id);
create index announcements_unread on announcements (tenant_id, user_id, id) where not is_read;
create index announcements_user on announcements (tenant_id, user_id);
create index announcements_time on announcements (id desc);
select app.protect('announcements');
