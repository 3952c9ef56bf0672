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

/** Schema of changes to an API key; omitted fields remain unchanged. */
export const apiKeyChanges = z
  .strictObject({
    name: text(60, 1),
    isActive: z.boolean(),
    /** Permissions of the key, a subset of its owner's. */
    scopes: z.array(text(60, 1)).min(1, 'Escolha ao menos uma permissão.').max(100, 'No máximo 100.'),
    perMinute: z
      .number({ error: 'Informe quantos pedidos por minuto.' })
      .int('Informe um número inteiro.')
      .min(1, 'Pelo menos 1.')
      .max(600, 'No máximo 600 por minuto.'),
    /** IP addresses and networks (CIDR) from which the key is accepted; empty: any. */
    networks: z.array(text(43, 1)).max(50, 'No máximo 50 endereços.'),
    /** Whether `/params/` takes the token out of the address. */
    takesQuery: z.boolean(),
    urlServiceStatus: url,
    urlMessageStatus: url,
    /** `authorization` header of each callback; null: none. Never returned. */
    authToken: text(2000)
      .refine((value) => /^[\x20-\x7e]*$/.test(value), 'Use apenas letras sem acento, números e sinais.')
      .nullable(),
  })
  .partial()

/** Schema of a new API key; its connection cannot be changed later. */
export const apiKeyForm = apiKeyChanges.extend({ sessionId: id }).required({ name: true })

/** Default permissions of a key: those that the external API needs. */
export const USUAL_SCOPES = [
  'tickets:read',
  'tickets:write',
  'tickets:start',
  'contacts:read',
  'contacts:write',
  'connections:read',
] as const satisfies readonly Permission[]

/** Whether a permission may be given to a key; managing keys and the installation may not. */
export const isForPrograms = (permission: string): boolean =>
  !permission.startsWith('platform:') && permission !== 'api:write'
