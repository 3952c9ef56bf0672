import { z } from 'zod'
import { MOST_NAMED } from '#domain/bulk/limits.ts'
import { keysIn } from '#domain/keys.ts'
import { bulkAnswer } from '#kit/bulk.ts'
import { contract } from '#kit/contract.ts'
import { id } from '#kit/fields.ts'
import * as at from './bulk-addresses.ts'
import { ticketFilter, ticketValue } from './contract.ts'

/** Actions for many tickets at once. */
export const BULK_ACTIONS = [
  'accept',
  'transfer',
  'return',
  'close',
  'reopen',
  'read',
  'unread',
  'tag',
  'untag',
  'snooze',
  'channel',
  'macro',
  'kanban',
] as const

/** Action of a bulk operation. */
export type BulkAction = (typeof BULK_ACTIONS)[number]

const args = z.strictObject({
  /** transfer: new owner and queue; without a queue each ticket keeps its own. */
  userId: id.nullable().optional(),
  queueId: id.nullable().optional(),
  /** close: does not ask the customer for a rating. */
  unrated: z.boolean().optional(),
  /** tag, untag: the tags. */
  tagIds: z.array(id).min(1).max(50).optional(),
  /** close: the reason; macro: the reason for tickets that it closes without one. */
  reasons: id.optional(),
  /** close: the farewell to send to the customer. */
  farewellId: id.optional(),
  /** close: the agreed value of a single ticket. */
  value: ticketValue.optional(),
  /** snooze: end of the snooze; null ends it now. */
  until: z.iso.datetime({ offset: true, error: 'Informe o dia e a hora.' }).nullable().optional(),
  /** channel: the connection to continue on. */
  whatsappId: id.optional(),
  /** macro: its id. */
  macroId: id.optional(),
  /** kanban: the target stage; null removes from the board. */
  kanban: id.nullable().optional(),
})

/** Arguments of a bulk action. */
export type BulkArgs = z.output<typeof args>

/** Arguments of each action, with the required one. */
const takes: Readonly<Record<BulkAction, readonly (keyof BulkArgs)[]>> = {
  accept: [],
  transfer: ['userId', 'queueId'],
  return: [],
  close: ['unrated', 'reasons', 'farewellId', 'value'],
  reopen: [],
  read: [],
  unread: [],
  tag: ['tagIds'],
  untag: ['tagIds'],
  snooze: ['until'],
  channel: ['whatsappId'],
  macro: ['macroId', 'reasons'],
  kanban: ['kanban'],
}

const isTagging = (action: BulkAction): boolean => action === 'tag' || action === 'untag'

/** API contract of bulk operations: one action on the named tickets, or on all that match a filter. */
export const ticketsBulk = contract(at.ticketsBulk, {
  start: {
    summary: 'Uma ação em muitos atendimentos; com dryRun, só o que seria recusado e por quê',
    body: z
      .strictObject({
        ids: z.array(id).min(1).max(MOST_NAMED, `Escolha no máximo ${MOST_NAMED}, ou use um filtro.`).optional(),
        filter: z.strictObject(ticketFilter.omit({ pageNumber: true, cursor: true, count: true }).shape).optional(),
        /** Number of tickets that the person saw under the filter. */
        expected: z.number().int().min(0).optional(),
        action: z.enum(BULK_ACTIONS),
        args: args.optional(),
        dryRun: z.boolean().optional(),
      })
      .superRefine((body, { addIssue }) => {
        const refuse = (path: string[], message: string) => addIssue({ code: 'custom', path, message })
        if ((body.ids === undefined) === (body.filter === undefined))
          refuse(['ids'], 'Escolha os atendimentos, ou um filtro.')
        if (body.filter && body.expected === undefined && !body.dryRun)
          refuse(['expected'], 'Informe quantos atendimentos o filtro mostra.')
        for (const key of keysIn(body.args ?? {}))
          if (!takes[body.action].includes(key)) refuse(['args', key], 'Esta ação não usa este campo.')
        if (body.args?.value != null && body.ids?.length !== 1)
          refuse(['args', 'value'], 'O valor é de um atendimento só.')
        if (isTagging(body.action) && !body.args?.tagIds) refuse(['args', 'tagIds'], 'Escolha as etiquetas.')
        if (body.action === 'snooze' && body.args?.until === undefined)
          refuse(['args', 'until'], 'Informe o dia e a hora.')
        if (body.action === 'channel' && !body.args?.whatsappId) refuse(['args', 'whatsappId'], 'Escolha o canal.')
        if (body.action === 'macro' && !body.args?.macroId) refuse(['args', 'macroId'], 'Escolha a macro.')
        if (body.action === 'kanban' && body.args?.kanban === undefined) refuse(['args', 'kanban'], 'Escolha a etapa.')
        if (body.action === 'transfer' && body.args?.userId == null && body.args?.queueId == null)
          refuse(['args', 'queueId'], 'Escolha a fila ou a pessoa.')
      }),
    returns: bulkAnswer,
    errors: [
      'ERR_SELECTION_CHANGED',
      'ERR_SELECTION_TOO_LARGE',
      'ERR_NO_STATUS_SELECTED',
      'ERR_NO_USER_FOUND',
      'ERR_NO_QUEUE_FOUND',
      'ERR_NO_TAG_FOUND',
      'ERR_NO_WAPP_FOUND',
      'ERR_NO_MACRO_FOUND',
      'ERR_NO_FAREWELL_FOUND',
    ],
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    ticketsBulk: typeof ticketsBulk
  }
}
