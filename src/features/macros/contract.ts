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
  /** Name of the queue that shares the macro; null if deleted. */
  queue: z.string().nullable(),
  /** Actions in order, each with the names of the records it refers to. */
  steps: z.array(
    z.object({
      action: actionForm,
      names: z.array(z.string()),
      /** Reason why the macro cannot be used: a record it refers to was deleted. */
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
      /** Reason for the refusal, as a sentence; null if permitted. */
      refusal: z.string().nullable(),
      /** Whether the action changes nothing. */
      isSame: z.boolean(),
      /** Text to write, with its variables filled in. */
      body: z.string().nullable(),
    }),
  ),
  /** Whether no action is refused; otherwise the ticket remains unchanged. */
  mayRun: z.boolean(),
})

/** Preview of a macro's effect on a ticket, as API responses return it. */
export type MacroPreview = z.output<typeof preview>

/** API contract of macros: lists of actions on tickets. All who write on tickets may use the visible ones; leads create them. */
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
    /** Close reason for actions without one. */
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

/** Event for the whole company: the id of the changed macro, without data. */
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
