-- What the page behind a link says of itself, with a small picture, kept for a while; failures too, so that nobody asks again at once.
create table link_cards (
  tenant_id bigint not null,
  id bigint generated always as identity,
  -- SHA-256 of the address, in hex: addresses are too long for an index.
  key text not null,
  url text not null,
  -- Null: the page did not answer, or has nothing to show.
  title text,
  description text not null default '',
  site text not null default '',
  file_id uuid,
  fetched_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (tenant_id, id),
  constraint link_cards_key unique (tenant_id, key),
  foreign key (tenant_id, file_id) references files (tenant_id, id)
);
create index link_cards_file on link_cards (tenant_id, file_id) where file_id is not null;
create index link_cards_expired on link_cards (tenant_id, expires_at);
select app.protect('link_cards');

-- The card of the first link in a message's text.
alter table messages
  add column link_card_id bigint,
  add foreign key (tenant_id, link_card_id) references link_cards (tenant_id, id) on delete set null (link_card_id);
create index messages_link_card on messages (tenant_id, link_card_id) where link_card_id is not null;
