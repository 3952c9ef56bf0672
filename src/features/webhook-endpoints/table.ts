import type { ListedSpec, TableSpec } from '#kit/resource.ts'

/** Table definition of webhook endpoints, from which list, filters and SQL are derived. */
export const endpointTable = {
  table: 'webhook_endpoints',
  title: 'Webhooks',
  singular: 'Webhook',
  gender: 'm',
  fields: {
    name: { label: 'Nome', kind: 'text', required: true, max: 60 },
    url: { label: 'Endereço', kind: 'text', required: true, max: 2000 },
    isActive: { label: 'Ligado', kind: 'boolean', column: 'is_active', default: true },
  },
  search: ['name', 'url'],
  order: 'name',
} as const satisfies TableSpec & ListedSpec
