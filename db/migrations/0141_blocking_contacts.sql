-- Since when who is at an address lets us write to them no more: they blocked the bot, or a group put it out.
alter table contact_identities add column blocks_us_since timestamptz;
