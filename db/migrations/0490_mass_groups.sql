-- Messages to lists that close the conversations in which they are written.
alter table dispatches add column closes_tickets boolean not null default false;
-- Who asks again for the same dispatch, as its answer was lost, gets the one that is there.
alter table dispatches add column id_front uuid;
create unique index dispatches_id_front on dispatches (tenant_id, id_front) where id_front is not null;
-- By so many seconds the time between two messages is shorter or longer; null: by three tenths of it.
alter table dispatches add column delay_spread integer;
