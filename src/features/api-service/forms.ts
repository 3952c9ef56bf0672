import { z } from 'zod'
import { id, text } from '#kit/fields.ts'
import type { Permission } from '#kit/permissions.ts'

const isAddress = (value: string): boolean => {
  if (value === '') return true
  if (!URL.canParse(value)) return false
  const { protocol, username, password } = new URL(value)
  return /^https?:$/.test(protocol) && username === '' && password === ''
}
const url = text(2000).refine(isAddress, 'Informe um endereço que começa com https:// ou http://, sem senha.')

/** What a change of a key may carry; what is left out stays. */
export const apiKeyChanges = z
  .strictObject({
    name: text(60, 1),
    isActive: z.boolean(),
    /** Permissions that the key has, of those that its owner has. */
    scopes: z.array(text(60, 1)).min(1, 'Escolha ao menos uma permissão.').max(100, 'No máximo 100.'),
    perMinute: z
      .number({ error: 'Informe quantos pedidos por minuto.' })
      .int('Informe um número inteiro.')
      .min(1, 'Pelo menos 1.')
      .max(600, 'No máximo 600 por minuto.'),
    /** Addresses and networks (CIDR) from which it is taken; empty: from anywhere. */
    networks: z.array(text(43, 1)).max(50, 'No máximo 50 endereços.'),
    /** Whether `/params/` takes the token out of the address. */
    takesQuery: z.boolean(),
    urlServiceStatus: url,
    urlMessageStatus: url,
    /** Sent as `authorization` of each callback; null: none. It is never shown again. */
    authToken: text(2000)
      .refine((value) => /^[\x20-\x7e]*$/.test(value), 'Use apenas letras sem acento, números e sinais.')
      .nullable(),
  })
  .partial()

/** What a new key is made from; by which connection it sends stays. */
export const apiKeyForm = apiKeyChanges.extend({ sessionId: id }).required({ name: true })

/** What a key may do where nobody says otherwise: what the external API is for. */
export const USUAL_SCOPES = [
  'tickets:read',
  'tickets:write',
  'tickets:start',
  'contacts:read',
  'contacts:write',
  'connections:read',
] as const satisfies readonly Permission[]

/** What no program may do: keys that make keys, the installation. */
export const isForPrograms = (permission: string): boolean =>
  !permission.startsWith('platform:') && permission !== 'api:write'
