import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { done, idParams, text } from '#kit/fields.ts'

const values = z.record(z.string().max(60), z.union([z.string(), z.number(), z.boolean()]))

const providerApp = z.object({
  id: z.number().int(),
  /** The channel that it is of, by its config. */
  channel: z.string(),
  name: z.string(),
  /** What was filled in; a secret is `••••` and its last characters. */
  values,
  /** The path that the provider calls for all accounts. */
  webhookPath: z.string(),
  /** How many events were of accounts that no company has connected. */
  unclaimedEvents: z.number().int(),
})

/** An app of the installation at a provider, as the superadmin sees it. */
export type ProviderApp = z.output<typeof providerApp>

const form = z.strictObject({ name: text(60, 1), values })

/** The installation's apps at providers whose one address serves the accounts of several companies. */
export const providerApps = contract('providerApps', {
  list: {
    method: 'GET',
    path: '/provider-apps',
    summary: 'Aplicativos da instalação nos provedores, pelo nome; segredos mascarados',
    can: 'platform:read',
    mode: 'slow',
    returns: z.object({ apps: z.array(providerApp) }),
  },
  create: {
    method: 'POST',
    path: '/provider-apps',
    summary: 'Registrar um aplicativo; recebe um endereço que o provedor chama',
    can: 'platform:write',
    mode: 'slow',
    body: form.extend({ channel: z.string().max(60) }),
    returns: providerApp,
    errors: ['ERR_DUPLICATED'],
    touches: ['providerApps'],
    audit: true,
  },
  update: {
    method: 'PUT',
    path: '/provider-apps/:id',
    summary: 'Alterar um aplicativo; um segredo mascarado fica como está',
    can: 'platform:write',
    mode: 'slow',
    params: idParams,
    body: form,
    returns: providerApp,
    errors: ['ERR_NO_PROVIDER_APP_FOUND', 'ERR_DUPLICATED'],
    touches: ['providerApps'],
    audit: true,
  },
  remove: {
    method: 'DELETE',
    path: '/provider-apps/:id',
    summary: 'Excluir um aplicativo; o endereço dele deixa de existir',
    can: 'platform:write',
    mode: 'slow',
    params: idParams,
    returns: done,
    errors: ['ERR_NO_PROVIDER_APP_FOUND'],
    touches: ['providerApps'],
    audit: true,
  },
})
