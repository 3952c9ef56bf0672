-- A message on a virtual phone knows which one it answers, as its channel says that it does.
alter table lab_messages add column quoted_id uuid;
