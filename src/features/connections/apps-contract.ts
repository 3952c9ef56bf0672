import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { done, text } from '#kit/fields.ts'
import * as at from './provider-addresses.ts'

const values = z.record(z.string().max(60), z.union([z.string(), z.number(), z.boolean(), z.null()]))

const providerApp = z.object({
  id: z.number().int(),
  /** Id of the app's channel, as in the channel config. */
  channel: z.string(),
  name: z.string(),
  /** Field values; a secret is `••••` and its last characters. */
  values,
  /** Path that the provider calls for all accounts. */
  webhookPath: z.string(),
  /** Number of events of accounts that no company has connected. */
  unclaimedEvents: z.number().int(),
})

/** App of the installation at a provider, in the superadmin's view. */
export type ProviderApp = z.output<typeof providerApp>

const form = z.strictObject({ name: text(60, 1), values })

/** Contract of the installation's apps at providers; the one webhook address of an app serves accounts of several companies. */
export const providerApps = contract(at.providerApps, {
  list: {
    summary: 'Aplicativos da instalação nos provedores, pelo nome; segredos mascarados',
    mode: 'slow',
    returns: z.object({ apps: z.array(providerApp) }),
  },
  create: {
    summary: 'Registrar um aplicativo; recebe um endereço que o provedor chama',
    mode: 'slow',
    body: form.extend({ channel: z.string().max(60) }),
    returns: providerApp,
    errors: ['ERR_DUPLICATED'],
    audit: true,
  },
  update: {
    summary: 'Alterar um aplicativo; um segredo mascarado fica como está',
    mode: 'slow',
    body: form,
    returns: providerApp,
    errors: ['ERR_NO_PROVIDER_APP_FOUND', 'ERR_DUPLICATED'],
    audit: true,
  },
  remove: {
    summary: 'Excluir um aplicativo; o endereço dele deixa de existir',
    mode: 'slow',
    returns: done,
    errors: ['ERR_NO_PROVIDER_APP_FOUND'],
    audit: true,
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    providerApps: typeof providerApps
  }
}
