-- How many answers of assistants a company has a month by its plan; 0: as many as it likes.
alter table plans add column assistant_answers int not null default 0 check (assistant_answers >= 0);
alter table tenants add column max_assistant_answers int not null default 0 check (max_assistant_answers >= 0);
