import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import * as at from './provider-addresses.ts'

/** Schema of a provider's field values by field name; each field validates its own. */
const values = z.record(z.string().max(60), z.union([z.string(), z.number(), z.boolean(), z.null()]))

const params = z.object({ id: z.string().max(60) })

const provider = z.object({
  /** Id in its config, and in the URLs below. */
  id: z.string(),
  name: z.string(),
  /** Channel types of the provider's connections. */
  types: z.array(z.string()),
  /** Owner of the values that apply: the company, else the installation; null if neither has any. */
  source: z.enum(['company', 'installation']).nullable(),
})

const account = z.object({
  /** Account id at the provider. */
  account: z.string(),
  name: z.string(),
  /** Channel type of the account's connection, as on the wire. */
  type: z.string(),
  /** Values that the account fills into the form of a connection. */
  values,
  /** Id of the company's connection of this account; null if there is none. */
  whatsappId: z.number().int().nullable(),
})

/** Account at a provider that a connection can be created from. */
export type ProviderAccount = z.output<typeof account>

/** Row of a provider with settings for all of its connections. */
export type ProviderRow = z.output<typeof provider>

/** Contract of the settings for all connections at a provider: a company's own, or (for the superadmin) the installation's. */
export const providers = contract(at.providers, {
  list: {
    summary: 'Provedores que se configuram uma vez para todos os canais, pelo nome',
    returns: z.object({ providers: z.array(provider) }),
  },
  get: {
    summary: 'O que foi preenchido de um provedor, com o endereço que ele chama; segredos mascarados',
    mode: 'slow',
    params,
    returns: values,
    errors: ['ERR_NO_PROVIDER_FOUND', 'ERR_CHANNEL_NOT_ALLOWED'],
  },
  save: {
    summary:
      'Preencher um provedor; um segredo mascarado fica como está. Do superadministrador, vale para a instalação',
    mode: 'slow',
    params,
    body: values,
    returns: values,
    errors: ['ERR_NO_PROVIDER_FOUND', 'ERR_CHANNEL_NOT_ALLOWED'],
    audit: true,
  },
  test: {
    summary: 'Perguntar ao provedor se aceita o que está salvo, ou o que vem no pedido, sem salvar',
    mode: 'slow',
    params,
    body: values.prefault({}),
    returns: z.object({ ok: z.boolean(), text: z.string() }),
    errors: ['ERR_NO_PROVIDER_FOUND', 'ERR_CHANNEL_NOT_ALLOWED', 'ERR_RATE_LIMIT'],
  },
  accounts: {
    summary: 'As contas que a chave de um provedor abre, das quais se escolhe a de um canal',
    mode: 'slow',
    query: z.object({ provider: z.string().max(60).optional() }),
    /** `problem`: reason for an empty list, as a sentence. */
    returns: z.object({ accounts: z.array(account), problem: z.string().nullable() }),
    errors: ['ERR_NO_PROVIDER_FOUND', 'ERR_CHANNEL_NOT_ALLOWED', 'ERR_RATE_LIMIT'],
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    providers: typeof providers
  }
}
