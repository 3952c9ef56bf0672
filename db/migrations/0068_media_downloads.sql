-- Files of messages that their providers keep: how each is fetched (encrypted), how often that failed, and since when it is
-- wanted (null: not before somebody asks for it). A file that came has no row any more.
create table media_downloads (
  tenant_id bigint not null,
  message_id uuid not null,
  pointer text not null,
  failures int not null default 0,
  wanted_at timestamptz,
  primary key (tenant_id, message_id),
  foreign key (tenant_id, message_id) references messages (tenant_id, id) on delete cascade
);
create index media_downloads_wanted on media_downloads (wanted_at) where wanted_at is not null;
select app.protect('media_downloads');
