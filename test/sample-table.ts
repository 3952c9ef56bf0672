import { tags } from '#features/catalog/tags.ts'
import { resource } from '#kit/resource.ts'
import type { Feature } from '#server/feature.ts'
import { mountResource } from '#server/resource.ts'

/** A plain table as docs/recipes/add-a-plain-table.md adds one: this value, the migration below it, two permissions. */
export const samples = resource({
  name: 'samples',
  path: '/samples',
  table: 'samples',
  title: 'Amostras',
  singular: 'Amostra',
  gender: 'f',
  fields: {
    name: { label: 'Nome', kind: 'text', required: true, max: 60 },
    position: { label: 'Ordem', kind: 'order' },
    amount: { label: 'Quantidade', kind: 'number', whole: true, min: 0, filter: true },
    price: { label: 'Preço', kind: 'money', filter: true },
    state: { label: 'Situação', kind: 'choice', options: { novo: 'Novo', usado: 'Usado' }, filter: true },
    tagId: {
      label: 'Etiqueta',
      kind: 'reference',
      column: 'tag_id',
      to: { table: 'tags', list: tags.ops.list, name: 'tag' },
      filter: true,
    },
    due: { label: 'Prazo', kind: 'date', filter: true },
    isActive: { label: 'Ativo', kind: 'boolean', column: 'is_active', default: true, filter: true },
  },
  search: ['name'],
  order: 'position',
  can: { read: 'tags:read', write: 'tags:write' },
  notFound: 'ERR_NO_TAG_FOUND',
})

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

const feature: Feature = { name: 'samples', routes: mountResource(samples) }

/** What a test starts a product with to have the sample table. */
export const withSamples = { more: { feature, migration } }
