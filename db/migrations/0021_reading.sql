-- How far each person has read each ticket: the last message that was seen, and when that was.
create table reading_positions (
  tenant_id bigint not null,
  user_id bigint not null,
  ticket_id bigint not null,
  message_at timestamptz not null,
  message_seq bigint not null,
  read_at timestamptz not null,
  primary key (tenant_id, user_id, ticket_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade,
  foreign key (tenant_id, ticket_id) references tickets (tenant_id, id) on delete cascade
);
create index reading_positions_ticket on reading_positions (tenant_id, ticket_id);

-- What concerns one person, by ticket: mentions and transfers since it was last read. Answers on the own tickets are not
-- stored: the tickets say them; a row may only say until when they were read.
create table notifications (
  tenant_id bigint not null,
  user_id bigint not null,
  ticket_id bigint not null,
  mentions int not null default 0,
  transfers int not null default 0,
  by_user_id bigint,
  -- The first mention since it was last read.
  message_id uuid,
  updated_at timestamptz not null,
  read_at timestamptz,
  primary key (tenant_id, user_id, ticket_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade,
  foreign key (tenant_id, ticket_id) references tickets (tenant_id, id) on delete cascade,
  foreign key (tenant_id, by_user_id) references users (tenant_id, id) on delete set null (by_user_id),
  foreign key (tenant_id, message_id) references messages (tenant_id, id) on delete set null (message_id)
);
create index notifications_ticket on notifications (tenant_id, ticket_id);
create index notifications_by_user on notifications (tenant_id, by_user_id);
create index notifications_message on notifications (tenant_id, message_id);

select app.protect('reading_positions');
select app.protect('notifications');
