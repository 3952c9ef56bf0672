-- Possible duplicates are read along what contacts have in common, to its end where there are few: out of the index alone.
drop index contacts_line, contacts_document, contacts_email, contacts_birthday;
create index contacts_line on contacts (tenant_id, app.line_of(number), id) include (number, merged_into)
  where number is not null and not is_group;
create index contacts_document on contacts (tenant_id, cpf, id) include (merged_into) where cpf <> '' and not is_group;
create index contacts_email on contacts (tenant_id, email, id) include (merged_into) where email <> '' and not is_group;
create index contacts_birthday on contacts (tenant_id, birthday_date, sort_name, id) include (merged_into)
  where birthday_date <> '' and not is_group;
