-- What somebody began to write is one draft on every device: the revision tells who writes over what they have not seen.
-- A draft that was sent or emptied keeps its row and its revision, so that an older one does not come back.
alter table drafts
  add column revision int not null default 1,
  add column quoted_id uuid,
  add foreign key (tenant_id, quoted_id) references messages (tenant_id, id) on delete set null (quoted_id);
create index drafts_quoted on drafts (tenant_id, quoted_id) where quoted_id is not null;
