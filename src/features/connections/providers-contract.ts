import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import * as at from './provider-addresses.ts'

/** What is filled in of a provider, by the names of its fields, which check it. */
const values = z.record(z.string().max(60), z.union([z.string(), z.number(), z.boolean(), z.null()]))

const params = z.object({ id: z.string().max(60) })

const provider = z.object({
  /** As its config names it, and as it stands in the addresses below. */
  id: z.string(),
  name: z.string(),
  /** The types of its connections. */
  types: z.array(z.string()),
  /** Whose values apply: the company's own, else the installation's; null where nobody has filled in any. */
  source: z.enum(['company', 'installation']).nullable(),
})

const account = z.object({
  /** The provider's name of it. */
  account: z.string(),
  name: z.string(),
  /** What its connection is, by its type on the wire. */
  type: z.string(),
  /** What of the connection's form it fills in. */
  values,
  /** The connection of the company that it has already; null where it has none. */
  whatsappId: z.number().int().nullable(),
})

/** An account that a connection may be made of. */
export type ProviderAccount = z.output<typeof account>

/** A provider that is set once for all of its connections. */
export type ProviderRow = z.output<typeof provider>

/** What is set once for all connections at a provider: a company's own, or (by the superadmin) the installation's. */
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
    /** `problem`: why there are none to choose from, for people. */
    returns: z.object({ accounts: z.array(account), problem: z.string().nullable() }),
    errors: ['ERR_NO_PROVIDER_FOUND', 'ERR_CHANNEL_NOT_ALLOWED', 'ERR_RATE_LIMIT'],
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    providers: typeof providers
  }
}
