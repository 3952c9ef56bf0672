import { z } from 'zod'
import { color, id, text } from '#kit/fields.ts'

/** How a channel looks, field by field. */
export const lookFields = {
  title: text(60, 1),
  welcome: text(300),
  away: text(80),
  color: color.nullable(),
  position: z.enum(['right', 'left']),
  theme: z.enum(['auto', 'light', 'dark']),
}

/** How a channel looks on a customer's site and what it says before anyone answers; `color` null follows the company's. */
export const webchatLook = z.strictObject(lookFields)

const domain = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^(\*\.)?([a-z0-9-]+\.)*[a-z0-9-]+(:\d{1,5})?$/, 'Escreva só o domínio, como loja.com.br ou *.loja.com.br.')

/** What a company decides about one webchat channel. */
export const webchatChannelForm = z.strictObject({
  name: text(60, 1),
  queueId: id.nullable(),
  look: webchatLook,
  /** Sites that may show the channel; none = any. */
  domains: z.array(domain).max(30),
  /** `setUser` only with a proof from the company's own server. */
  requiresProof: z.boolean(),
})
