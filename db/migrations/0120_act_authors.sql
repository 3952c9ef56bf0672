-- Who did an act that came from elsewhere, as the channel says it: { identity, number, alias }. Null for the company's own,
-- and where nobody knows: in a group such a one changes no text, those that waited while this was not kept among them.
alter table message_acts add column author jsonb;
