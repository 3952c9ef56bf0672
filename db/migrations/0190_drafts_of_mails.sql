-- Of a mail, a draft has who gets it and what it is about as well, as they were typed.
alter table drafts add column mail jsonb;
