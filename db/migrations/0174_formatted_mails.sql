-- The formatted text of a mail, cleaned as it came. It is read on demand alone: a page of messages has no use for it.
create table message_html (
  tenant_id bigint not null,
  message_id uuid not null,
  html text not null,
  primary key (tenant_id, message_id),
  foreign key (tenant_id, message_id) references messages (tenant_id, id) on delete cascade
);
select app.protect('message_html');
