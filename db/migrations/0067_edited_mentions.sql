-- Whom of a group the text mentions that a contact's edit gives to a message: identities, as the channel names them.
alter table message_acts add column mentions jsonb;
