import { z } from 'zod'
import { maskValue } from '#domain/access/restricted.ts'
import { CONSENT_STATES, PURPOSES, SOURCES } from '#domain/consents/consents.ts'
import { contract } from '#kit/contract.ts'
import { id, isoTime, pageAnswer, pageQuery, text } from '#kit/fields.ts'
import { hidden } from '#kit/hidden.ts'
import * as at from './addresses.ts'

const state = z.enum([...CONSENT_STATES, 'unknown'])

const consent = z.object({
  id: z.number().int(),
  /** Address with prefix: `phone:`, `mail:` or the channel. */
  address: hidden(z.string(), maskValue),
  purpose: z.enum(PURPOSES),
  state: z.enum(CONSENT_STATES),
  source: z.enum(SOURCES),
  note: z.string(),
  whatsappId: z.number().int().nullable(),
  user: z.object({ id: z.number().int(), name: z.string() }).nullable(),
  createdAt: isoTime,
})

const states = z.object({ marketing: state, utility: state })

/** Recorded consent, as API responses return it. */
export type ConsentRow = z.output<typeof consent>

/** API contract of consents and withdrawals; records are append-only. */
export const consents = contract(at.consents, {
  list: {
    summary: 'Consentimentos de um contato, do mais novo ao mais antigo, e o que vale agora',
    query: pageQuery.omit({ searchParam: true }).extend({ contactId: id }),
    returns: z.object({ consents: z.array(consent), states, ...pageAnswer }),
    errors: ['ERR_NO_CONTACT_FOUND', 'ERR_PAGE_TOO_FAR'],
  },
  create: {
    summary: 'Registrar que um contato aceita ou não aceita mais receber; vale para todos os endereços dele',
    body: z.strictObject({
      contactId: id,
      purpose: z.enum(PURPOSES),
      state: z.enum(CONSENT_STATES),
      source: z.enum(SOURCES).default('agent'),
      note: text(1000).default(''),
    }),
    returns: z.object({ states }),
    errors: ['ERR_NO_CONTACT_FOUND', 'ERR_CONTACT_WITHOUT_ADDRESS'],
    audit: true,
  },
  export: {
    summary: 'Baixar todos os consentimentos da empresa em CSV',
    mode: 'slow',
    returns: z.unknown(),
    audit: true,
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    consents: typeof consents
  }
}
