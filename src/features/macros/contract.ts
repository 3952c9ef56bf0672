import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { events } from '#kit/events.ts'
import { done, id, isoTime, pageAnswer } from '#kit/fields.ts'
import { listQuery } from '#kit/resource.ts'
import * as at from './addresses.ts'
import { actionForm, macroChanges, macroForm } from './forms.ts'
import { macroTable } from './table.ts'

const macro = z.object({
  id: z.number().int(),
  name: z.string(),
  color: z.string(),
  audience: z.enum(['person', 'queue', 'company']),
  queueId: z.number().int().nullable(),
  /** The name of the queue with which it is shared; null where that is gone too. */
  queue: z.string().nullable(),
  /** In order, each with the names of what it names. */
  steps: z.array(
    z.object({
      action: actionForm,
      names: z.array(z.string()),
      /** Why it cannot be used: something it names was deleted. */
      problem: z.string().nullable(),
    }),
  ),
  createdAt: isoTime,
  updatedAt: isoTime,
})

/** Macro, as API responses return it. */
export type Macro = z.output<typeof macro>

const preview = z.object({
  steps: z.array(
    z.object({
      /** Why it is refused, as a sentence; null where it is not. */
      refusal: z.string().nullable(),
      /** The ticket is so already. */
      isSame: z.boolean(),
      /** What would be written, its variables filled in. */
      body: z.string().nullable(),
    }),
  ),
  /** Whether none of the steps is refused; otherwise the ticket stays as it is. */
  mayRun: z.boolean(),
})

/** What a macro would do with a ticket, as a browser reads it. */
export type MacroPreview = z.output<typeof preview>

/** Macros: lists of actions on tickets. Everybody who writes on tickets uses those that they see, leads make them. */
export const macros = contract(at.macros, {
  list: {
    summary: 'Macros que quem pede pode usar, por nome',
    query: listQuery(macroTable),
    returns: z.object({ items: z.array(macro), ...pageAnswer }),
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  get: { summary: 'Uma macro com os seus passos', returns: macro, errors: ['ERR_NO_MACRO_FOUND'] },
  preview: {
    summary: 'O que cada passo da macro faria com um atendimento, e por que algum seria recusado',
    /** Why tickets are closed by steps that do not say it. */
    query: z.object({ reasons: id.optional() }),
    returns: preview,
    errors: ['ERR_NO_MACRO_FOUND', 'ERR_NO_TICKET_FOUND'],
  },
  create: {
    summary: 'Nova macro: da empresa, de uma fila ou própria',
    body: macroForm,
    returns: macro,
    errors: [
      'ERR_NO_QUEUE_FOUND',
      'ERR_NO_TAG_FOUND',
      'ERR_NO_USER_FOUND',
      'ERR_NO_KANBAN_FOUND',
      'ERR_NO_REASON_FOUND',
    ],
    audit: true,
  },
  update: {
    summary: 'Alterar uma macro; o que não vem no pedido fica como está',
    body: macroChanges,
    returns: macro,
    errors: [
      'ERR_NO_MACRO_FOUND',
      'ERR_NO_QUEUE_FOUND',
      'ERR_NO_TAG_FOUND',
      'ERR_NO_USER_FOUND',
      'ERR_NO_KANBAN_FOUND',
      'ERR_NO_REASON_FOUND',
    ],
    audit: true,
  },
  remove: { summary: 'Excluir uma macro', returns: done, errors: ['ERR_NO_MACRO_FOUND'], audit: true },
})

/** Sent to the whole company: the id of the changed macro, without data. */
export const macroEvents = events(at.macroEvents, {
  changed: z.object({ id: z.number().int(), action: z.enum(['create', 'update', 'delete']) }),
})

declare module '#kit/contract.ts' {
  interface Contracts {
    macros: typeof macros
  }
  interface Events {
    macroEvents: typeof macroEvents
  }
}
