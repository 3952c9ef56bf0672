import { z } from 'zod'
import { NUMBER_STATE_CHANGES } from '#domain/connections/number-state.ts'
import { contract } from '#kit/contract.ts'
import { events } from '#kit/events.ts'
import { done, epochMs, pageAnswer, pageQuery } from '#kit/fields.ts'
import * as at from './addresses.ts'
import { codeForm, pinForm, profileForm } from './forms.ts'

const state = z.object({
  shownNumber: z.string(),
  name: z.string(),
  /** Provider's status text, like `status`. */
  nameStatus: z.string(),
  quality: z.enum(['GREEN', 'YELLOW', 'RED']).nullable(),
  /** Maximum number of contacts that may be written to first per day; 0: no limit, null: unknown. */
  dailyLimit: z.number().int().nullable(),
  status: z.string(),
  isVerified: z.boolean(),
  readAt: epochMs,
})

const number = z.object({
  /** Connection of the number. */
  whatsappId: z.number().int(),
  name: z.string(),
  type: z.string(),
  isConnected: z.boolean(),
  /** Last known state; null if never read. */
  state: state.nullable(),
})

/** Number at a provider, as API responses return it. */
export type NumberRow = z.output<typeof number>

const change = z.object({
  id: z.number().int(),
  what: z.enum(NUMBER_STATE_CHANGES),
  before: z.string().nullable(),
  /** New value, in the provider's words. */
  after: z.string(),
  at: epochMs,
  /** Whether administrators were notified of it. */
  isFall: z.boolean(),
})

/** Change in the state of a number. */
export type NumberChange = z.output<typeof change>

const profile = profileForm.extend({
  email: z.string(),
  websites: z.array(z.string()),
  about: z.string(),
  description: z.string(),
  address: z.string(),
  /** Picture as a `data:` URL; null if absent or unavailable. */
  picture: z.string().nullable(),
})

const unknown = ['ERR_NO_WAPP_FOUND'] as const
const asked = [...unknown, 'ERR_NUMBER_PROVIDER', 'ERR_CHANNEL_CANNOT'] as const

/** API contract of numbers at their provider: state, profile and registration. */
export const providerNumbers = contract(at.providerNumbers, {
  list: {
    summary: 'Números da empresa nos provedores que dizem como estão, pelo nome do canal',
    returns: z.object({ numbers: z.array(number) }),
  },
  changes: {
    summary: 'O que mudou em um número: qualidade, limite, situação, nome, restrições; o mais recente primeiro',
    query: pageQuery.pick({ cursor: true }),
    returns: z.object({ changes: z.array(change), ...pageAnswer }),
    errors: [...unknown],
  },
  read: {
    summary: 'Ler de novo no provedor como um número está',
    mode: 'slow',
    returns: number,
    errors: [...asked],
  },
  profile: {
    summary: 'Como um número se apresenta aos contatos',
    mode: 'slow',
    returns: profile,
    errors: [...asked],
  },
  saveProfile: {
    summary: 'Alterar como um número se apresenta aos contatos',
    mode: 'slow',
    body: profileForm,
    returns: done,
    errors: [...asked],
    audit: true,
  },
  savePicture: {
    summary: 'Trocar a foto de um número: JPEG ou PNG de até 5 MB',
    mode: 'slow',
    returns: done,
    errors: [...asked, 'ERR_FILE_TYPE', 'ERR_FILE_TOO_LARGE'],
    audit: true,
  },
  requestCode: {
    summary: 'Pedir o código que mostra que o número é da empresa, por SMS ou por voz',
    mode: 'slow',
    body: z.strictObject({ by: z.enum(['sms', 'voice']) }),
    returns: done,
    errors: [...asked, 'ERR_RATE_LIMIT'],
    audit: true,
  },
  verify: {
    summary: 'Conferir o código que chegou ao número',
    mode: 'slow',
    body: codeForm,
    returns: done,
    errors: [...asked, 'ERR_RATE_LIMIT'],
    audit: true,
  },
  register: {
    summary: 'Registrar um número com o PIN de seis dígitos: a partir daí passam mensagens por ele',
    mode: 'slow',
    body: pinForm,
    returns: done,
    errors: [...asked, 'ERR_RATE_LIMIT'],
    audit: true,
  },
  setCallback: {
    summary: 'Trazer para cá os eventos da conta de um número, em vez do endereço do aplicativo; ou devolvê-los a ele',
    mode: 'slow',
    body: z.strictObject({ isHere: z.boolean() }),
    returns: done,
    errors: [...asked, 'ERR_NO_CALLBACK'],
    audit: true,
  },
})

/** Events about numbers at providers. */
export const providerNumberEvents = events(at.providerNumberEvents, {
  changed: z.object({ whatsappId: z.number().int() }),
})

declare module '#kit/contract.ts' {
  interface Contracts {
    providerNumbers: typeof providerNumbers
  }
  interface Events {
    providerNumberEvents: typeof providerNumberEvents
  }
}
