import { samplesFeature } from './server/index.ts'

const migration = `
  create table samples (
    tenant_id bigint not null references tenants (id) on delete cascade,
    id bigint generated always as identity,
    name text not null check (name <> ''),
    position integer not null,
    amount double precision,
    price numeric(12, 2),
    state text check (state in ('novo', 'usado')),
    tag_id bigint,
    due date,
    is_active boolean not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (tenant_id, id),
    constraint samples_name unique (tenant_id, name),
    foreign key (tenant_id, tag_id) references tags (tenant_id, id)
  );
  create index samples_tag on samples (tenant_id, tag_id);
  select app.protect('samples');`

/** Options of a test product with the feature of samples: its registration and its migration. */
export const withSamples = { more: { feature: samplesFeature, migration } }
