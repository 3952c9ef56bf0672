-- Since when and until when people are in teams: who joins reads a team's conversation from then on, who leaves keeps what was.
-- Triggers keep them, whoever writes team_members. They outlive the team, whose name they keep.
create table team_periods (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  team_id bigint not null,
  user_id bigint not null,
  began_at timestamptz not null,
  ended_at timestamptz,
  team_name text,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create unique index team_periods_running on team_periods (tenant_id, team_id, user_id) where ended_at is null;
create index team_periods_team on team_periods (tenant_id, team_id, user_id);
create index team_periods_user on team_periods (tenant_id, user_id);

insert into team_periods (tenant_id, team_id, user_id, began_at)
select m.tenant_id, m.team_id, m.user_id, t.created_at
from team_members m join teams t on t.tenant_id = m.tenant_id and t.id = m.team_id;

create function app.begin_team_period() returns trigger language plpgsql as $$
begin
  insert into team_periods (tenant_id, team_id, user_id, began_at)
  values (new.tenant_id, new.team_id, new.user_id, app.now());
  return null;
end $$;
create trigger begin_period after insert on team_members for each row execute function app.begin_team_period();

create function app.end_team_period() returns trigger language plpgsql as $$
begin
  update team_periods set ended_at = app.now(), team_name = coalesce(
    (select name from teams t where t.tenant_id = old.tenant_id and t.id = old.team_id), team_name)
  where tenant_id = old.tenant_id and team_id = old.team_id and user_id = old.user_id and ended_at is null;
  return null;
end $$;
create trigger end_period after delete on team_members for each row execute function app.end_team_period();

-- The members of a team that is deleted go after it, when its name is no longer there.
create function app.keep_team_name() returns trigger language plpgsql as $$
begin
  update team_periods set team_name = old.name where tenant_id = old.tenant_id and team_id = old.id;
  return old;
end $$;
create trigger keep_name before delete on teams for each row execute function app.keep_team_name();

-- What colleagues write to one another. `conversation`: 'u:3:5' of two people, 'g:7' of a team.
create table private_messages (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id uuid not null,
  conversation text not null,
  sender_id bigint not null,
  receiver_id bigint,
  group_id bigint,
  body text not null default '',
  media_type text not null check (media_type in ('text', 'image', 'video', 'audio', 'document')),
  file_id uuid,
  quoted_id uuid,
  -- Whom of the team its text calls by name: [{ id, name }].
  mentions jsonb not null default '[]',
  is_forwarded boolean not null default false,
  -- The conversation with a contact from which it was passed on.
  ticket_id bigint,
  sent_at timestamptz not null,
  -- How often it was changed: of two readings the one with more is the newer.
  revision integer not null default 0,
  edited_at timestamptz,
  deleted_at timestamptz,
  primary key (tenant_id, id),
  check (receiver_id is null or group_id is null),
  foreign key (tenant_id, sender_id) references users (tenant_id, id) on delete cascade,
  foreign key (tenant_id, receiver_id) references users (tenant_id, id) on delete cascade,
  foreign key (tenant_id, file_id) references files (tenant_id, id),
  foreign key (tenant_id, quoted_id) references private_messages (tenant_id, id) on delete set null (quoted_id),
  foreign key (tenant_id, ticket_id) references tickets (tenant_id, id) on delete set null (ticket_id)
);
create index private_messages_thread on private_messages (tenant_id, conversation, sent_at desc, id desc);
create index private_messages_sender on private_messages (tenant_id, sender_id);
create index private_messages_receiver on private_messages (tenant_id, receiver_id) where receiver_id is not null;
create index private_messages_file on private_messages (tenant_id, file_id) where file_id is not null;
create index private_messages_quoted on private_messages (tenant_id, quoted_id) where quoted_id is not null;
create index private_messages_ticket on private_messages (tenant_id, ticket_id) where ticket_id is not null;

create table private_reactions (
  tenant_id bigint not null references tenants (id) on delete cascade,
  message_id uuid not null,
  user_id bigint not null,
  emoji text not null,
  created_at timestamptz not null,
  primary key (tenant_id, message_id, user_id),
  foreign key (tenant_id, message_id) references private_messages (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index private_reactions_user on private_reactions (tenant_id, user_id);

-- How far somebody has read a conversation, and of one with a colleague when something was last written.
create table private_positions (
  tenant_id bigint not null references tenants (id) on delete cascade,
  user_id bigint not null,
  conversation text not null,
  peer_id bigint,
  group_id bigint,
  last_at timestamptz,
  read_at timestamptz,
  read_id uuid,
  primary key (tenant_id, user_id, conversation),
  check (peer_id is null or group_id is null),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade,
  foreign key (tenant_id, peer_id) references users (tenant_id, id) on delete cascade
);
create index private_positions_peer on private_positions (tenant_id, peer_id) where peer_id is not null;
create index private_positions_conversation on private_positions (tenant_id, conversation);

select app.protect('team_periods');
select app.protect('private_messages');
select app.protect('private_reactions');
select app.protect('private_positions');
