-- Of several contacts that are one person, one stands for all: `merged_into` names it. What each had before, and what has been
-- written over it since, stands in `merge_state`, which only those have that are part of a merge.
alter table contacts add column merged_into bigint, add column merge_state jsonb;
alter table contacts add constraint contacts_merged_into foreign key (tenant_id, merged_into)
  references contacts (tenant_id, id) on delete cascade;
create index contacts_merged on contacts (tenant_id, merged_into) where merged_into is not null;

-- By what a channel's address is known to be the contact's.
alter table contact_identities add column proof text not null default 'provider'
  check (proof in ('provider', 'person', 'none'));

-- The contact whose ticket it would be without merges; null where that is `contact_id`.
alter table tickets add column origin_contact_id bigint;
alter table tickets add constraint tickets_origin foreign key (tenant_id, origin_contact_id)
  references contacts (tenant_id, id) on delete cascade;
create index tickets_origin on tickets (tenant_id, origin_contact_id) where origin_contact_id is not null;

-- Each merge: `other_id` became part of the person that `contact_id` stood for, until it was undone.
create table contact_merges (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  contact_id bigint not null,
  other_id bigint not null,
  keep jsonb not null default '{}',
  proof text not null check (proof in ('person', 'number', 'provider')),
  user_id bigint,
  created_at timestamptz not null default app.now(),
  undone_at timestamptz,
  undone_by bigint,
  primary key (tenant_id, id),
  foreign key (tenant_id, contact_id) references contacts (tenant_id, id) on delete cascade,
  foreign key (tenant_id, other_id) references contacts (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete set null (user_id),
  foreign key (tenant_id, undone_by) references users (tenant_id, id) on delete set null (undone_by)
);
create unique index contact_merges_standing on contact_merges (tenant_id, other_id) where undone_at is null;
create index contact_merges_contact on contact_merges (tenant_id, contact_id, id desc);
create index contact_merges_other on contact_merges (tenant_id, other_id, id desc);
create index contact_merges_user on contact_merges (tenant_id, user_id) where user_id is not null;
create index contact_merges_undone_by on contact_merges (tenant_id, undone_by) where undone_by is not null;
select app.protect('contact_merges');

-- Contacts that somebody has said are two people, the older first.
create table distinct_contacts (
  tenant_id bigint not null references tenants (id) on delete cascade,
  contact_id bigint not null,
  other_id bigint not null,
  user_id bigint,
  created_at timestamptz not null default app.now(),
  primary key (tenant_id, contact_id, other_id),
  check (contact_id <= other_id),
  foreign key (tenant_id, contact_id) references contacts (tenant_id, id) on delete cascade,
  foreign key (tenant_id, other_id) references contacts (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete set null (user_id)
);
create index distinct_contacts_other on distinct_contacts (tenant_id, other_id);
create index distinct_contacts_user on distinct_contacts (tenant_id, user_id) where user_id is not null;
select app.protect('distinct_contacts');

-- Of two live tickets of one person on a connection the older goes on (`into_id`); the other is closed until they part
-- again. `before` is what both were, `after` what the one that goes on became.
create table ticket_merges (
  tenant_id bigint not null,
  ticket_id bigint not null,
  into_id bigint not null,
  before jsonb not null,
  into_before jsonb not null,
  into_after jsonb not null,
  created_at timestamptz not null default app.now(),
  primary key (tenant_id, ticket_id),
  foreign key (tenant_id, ticket_id) references tickets (tenant_id, id) on delete cascade,
  foreign key (tenant_id, into_id) references tickets (tenant_id, id) on delete cascade
);
create index ticket_merges_into on ticket_merges (tenant_id, into_id);
select app.protect('ticket_merges');

-- The person behind an address of a channel.
create function app.person_at(of_channel text, address text) returns bigint
  language sql stable set search_path = public, app, pg_temp as $$
  select coalesce(c.merged_into, c.id) from contact_identities i
  join contacts c on c.tenant_id = i.tenant_id and c.id = i.contact_id
  where i.tenant_id = app.tenant() and i.channel = of_channel and i.identity = address
$$;

-- Whoever opens a ticket, it is the person's; and at a person's addresses one is enough on a connection. Merging waits for
-- whoever opens one, and the other way round.
create function app.ticket_of_person() returns trigger language plpgsql set search_path = public, app, pg_temp as $$
declare
  person bigint;
  addressed bigint;
begin
  if new.is_group then
    return new;
  end if;
  select coalesce(merged_into, id) into person from contacts
    where tenant_id = new.tenant_id and id = new.contact_id for no key update;
  if person <> new.contact_id then
    perform from contacts where tenant_id = new.tenant_id and id = person for no key update;
  end if;
  select i.contact_id into addressed from contact_identities i
    join contacts c on c.tenant_id = i.tenant_id and c.id = i.contact_id
    where i.tenant_id = new.tenant_id and i.channel = new.channel and i.identity = new.conversation_key
      and coalesce(c.merged_into, c.id) = person;
  if addressed is not null and new.status <> 'closed' and exists (
    select from tickets where tenant_id = new.tenant_id and connection_id = new.connection_id and contact_id = person
      and status in ('open', 'pending')) then
    return null;
  end if;
  new.origin_contact_id := nullif(coalesce(addressed, new.contact_id), person);
  new.contact_id := coalesce(person, new.contact_id);
  return new;
end $$;
-- Before `stage_of_new`: the stage is that of the person.
create trigger person_of_new before insert on tickets for each row execute function app.ticket_of_person();

create function app.one_ticket_of_person() returns trigger language plpgsql set search_path = public, app, pg_temp as $$
begin
  perform from contacts where tenant_id = new.tenant_id and id = new.contact_id for no key update;
  if exists (select from contact_identities i join contacts c on c.tenant_id = i.tenant_id and c.id = i.contact_id
      where i.tenant_id = new.tenant_id and i.channel = new.channel and i.identity = new.conversation_key
        and coalesce(c.merged_into, c.id) = new.contact_id)
    and exists (select from tickets where tenant_id = new.tenant_id and connection_id = new.connection_id
      and contact_id = new.contact_id and status in ('open', 'pending') and id <> new.id) then
    raise unique_violation using constraint = 'tickets_one_person', message = 'this person has a live ticket on this connection';
  end if;
  return new;
end $$;
create trigger person_of_reopened before update of status, connection_id on tickets
  for each row when (new.status <> 'closed' and not new.is_group
    and (old.status = 'closed' or old.connection_id <> new.connection_id))
  execute function app.one_ticket_of_person();

-- Whoever is searched for by what a merged contact was called is found as the person.
create or replace function app.search_contacts(term text, most int) returns table (id bigint)
  language sql stable security definer set search_path = public, app, pg_temp as $$
  select coalesce(c.merged_into, c.id) from contacts c
  where c.tenant_id = app.tenant() and c.search_text like '%' || app.fold(replace(replace(replace(term, '\', '\\'), '%', '\%'), '_', '\_')) || '%'
  limit most
$$;

-- Possible duplicates are read along what they have in common.
create index contacts_line on contacts (tenant_id, app.line_of(number), id) where number is not null and not is_group;
create index contacts_document on contacts (tenant_id, cpf, id) where cpf <> '' and not is_group;
create index contacts_email on contacts (tenant_id, email, id) where email <> '' and not is_group;
create index contacts_birthday on contacts (tenant_id, birthday_date, sort_name, id) where birthday_date <> '' and not is_group;
