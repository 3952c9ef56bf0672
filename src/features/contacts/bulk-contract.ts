import { z } from 'zod'
import { MOST_NAMED } from '#domain/bulk/limits.ts'
import { bulkAnswer } from '#kit/bulk.ts'
import { contract } from '#kit/contract.ts'
import { id } from '#kit/fields.ts'
import * as at from './addresses.ts'
import { contactFilter } from './contract.ts'
import { contactIds } from './forms.ts'

/** Actions for many contacts at once. */
export const CONTACT_ACTIONS = [
  'tag',
  'untag',
  'wallet',
  'unwallet',
  'kanban',
  'block',
  'unblock',
  'blockBot',
  'unblockBot',
] as const

/** Action of a bulk operation on contacts. */
export type ContactAction = (typeof CONTACT_ACTIONS)[number]

const args = z.strictObject({
  /** tag, untag: the tags. */
  tagIds: contactIds.min(1).optional(),
  /** wallet, unwallet: the owners. */
  userIds: contactIds.min(1).optional(),
  /** kanban: the target stage; null removes from the board. */
  kanban: id.nullable().optional(),
})

/** Arguments of a bulk action. */
export type ContactArgs = z.output<typeof args>

/** Required argument of each action, and the error text if it is missing. */
const needs: Readonly<Partial<Record<ContactAction, readonly [keyof ContactArgs, string]>>> = {
  tag: ['tagIds', 'Escolha as etiquetas.'],
  untag: ['tagIds', 'Escolha as etiquetas.'],
  wallet: ['userIds', 'Escolha as pessoas.'],
  unwallet: ['userIds', 'Escolha as pessoas.'],
  kanban: ['kanban', 'Escolha a etapa.'],
}

/** API contract of bulk operations: one action on the named contacts, or on all that match a filter. */
export const contactsBulk = contract(at.contactsBulk, {
  start: {
    summary: 'Uma ação em muitos contatos; com dryRun, só o que seria recusado e por quê',
    body: z
      .strictObject({
        ids: z.array(id).min(1).max(MOST_NAMED, `Escolha no máximo ${MOST_NAMED}, ou use um filtro.`).optional(),
        filter: contactFilter.optional(),
        /** Number of contacts that the person saw under the filter. */
        expected: z.number().int().min(0).optional(),
        action: z.enum(CONTACT_ACTIONS),
        args: args.optional(),
        dryRun: z.boolean().optional(),
      })
      .superRefine((body, { addIssue }) => {
        const refuse = (path: string[], message: string) => addIssue({ code: 'custom', path, message })
        if ((body.ids === undefined) === (body.filter === undefined))
          refuse(['ids'], 'Escolha os contatos, ou um filtro.')
        if (body.filter && body.expected === undefined && !body.dryRun)
          refuse(['expected'], 'Informe quantos contatos o filtro mostra.')
        const [needed, missing] = needs[body.action] ?? []
        for (const key of Object.keys(body.args ?? {}))
          if (key !== needed) refuse(['args', key], 'Esta ação não usa este campo.')
        if (needed && missing && body.args?.[needed] === undefined) refuse(['args', needed], missing)
      }),
    returns: bulkAnswer,
    errors: ['ERR_SELECTION_CHANGED', 'ERR_SELECTION_TOO_LARGE', 'ERR_NO_USER_FOUND', 'ERR_NO_TAG_FOUND'],
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    contactsBulk: typeof contactsBulk
  }
}
