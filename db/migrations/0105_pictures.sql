-- Since when a channel is to be asked for the picture of who is known by an address, and when it was asked last. Addresses
-- that are there already are due, those to come where their channel has pictures.
alter table contact_identities add column picture_due_at timestamptz default '-infinity', add column picture_asked_at timestamptz;
alter table contact_identities alter column picture_due_at drop default;
create index contact_identities_picture_due on contact_identities (tenant_id, channel, identity) where picture_due_at is not null;
create index contact_identities_picture_asked on contact_identities (tenant_id, channel, picture_asked_at) where picture_asked_at is not null;
