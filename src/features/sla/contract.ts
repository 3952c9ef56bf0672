import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { events } from '#kit/events.ts'
import { done, isoTime, pageAnswer } from '#kit/fields.ts'
import { listQuery } from '#kit/resource.ts'
import * as at from './addresses.ts'
import { slaChanges, slaForm } from './forms.ts'
import { slaTable } from './table.ts'

const count = z.number().int()
/** Records of a condition; the name is null if deleted. */
const named = z.array(z.object({ id: count, name: z.string().nullable() }))

const policy = z.object({
  id: count,
  name: z.string(),
  isActive: z.boolean(),
  /** Position from 1; the first active policy that matches applies to a ticket. */
  position: count,
  /** Conditions: an empty list matches every ticket, another list any of its values. `wallets` are the owners of the contact. */
  queues: named,
  connections: named,
  tags: named,
  wallets: named,
  firstMinutes: count.nullable(),
  nextMinutes: count.nullable(),
  solutionMinutes: count.nullable(),
  warnPercent: count,
  createdAt: isoTime,
  updatedAt: isoTime,
})

/** Policy, as API responses return it. */
export type SlaPolicy = z.output<typeof policy>

const gone = ['ERR_NO_QUEUE_FOUND', 'ERR_NO_WAPP_FOUND', 'ERR_NO_TAG_FOUND', 'ERR_NO_USER_FOUND'] as const

/** API contract of SLA policies: time limits for answers and resolution. */
export const slaPolicies = contract(at.slaPolicies, {
  list: {
    summary: 'Políticas de SLA, na ordem em que são escolhidas',
    query: listQuery(slaTable),
    returns: z.object({ items: z.array(policy), ...pageAnswer }),
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  get: { summary: 'Uma política de SLA', returns: policy, errors: ['ERR_NO_SLA_FOUND'] },
  create: {
    summary: 'Nova política de SLA, desligada se não for dito outra coisa',
    body: slaForm,
    returns: policy,
    errors: ['ERR_MAX_SLA', ...gone],
    audit: true,
  },
  update: {
    summary: 'Alterar, ligar ou desligar uma política; os prazos dos atendimentos são contados de novo',
    body: slaChanges,
    returns: policy,
    errors: ['ERR_NO_SLA_FOUND', ...gone],
    audit: true,
  },
  remove: {
    summary: 'Excluir uma política; os seus atendimentos passam à próxima que valer',
    returns: done,
    errors: ['ERR_NO_SLA_FOUND'],
    audit: true,
  },
  arrange: {
    summary: 'Ordenar as políticas; elas trocam entre si os lugares que têm',
    body: z.strictObject({
      ids: z
        .array(count)
        .min(1, 'Escolha ao menos uma.')
        .max(100, 'No máximo 100.')
        .refine((ids) => new Set(ids).size === ids.length, 'Cada política só uma vez.'),
    }),
    returns: done,
    errors: ['ERR_NO_SLA_FOUND'],
    audit: true,
  },
})

/** Event for the whole company: the id of the changed policy, without data. */
export const slaEvents = events(at.slaEvents, {
  changed: z.object({ id: count, action: z.enum(['create', 'update', 'delete']) }),
})

declare module '#kit/contract.ts' {
  interface Contracts {
    slaPolicies: typeof slaPolicies
  }
  interface Events {
    slaEvents: typeof slaEvents
  }
}
