import { z } from 'zod'
import { text } from '#kit/fields.ts'

/** Business categories, by the provider's names. */
export const VERTICALS = {
  OTHER: 'Outro',
  AUTO: 'Automóveis',
  BEAUTY: 'Beleza e cuidados',
  APPAREL: 'Roupas',
  EDU: 'Educação',
  ENTERTAIN: 'Entretenimento',
  EVENT_PLAN: 'Eventos',
  FINANCE: 'Finanças',
  GROCERY: 'Supermercado',
  GOVT: 'Governo',
  HOTEL: 'Hotel',
  HEALTH: 'Saúde',
  NONPROFIT: 'Sem fins lucrativos',
  PROF_SERVICES: 'Serviços profissionais',
  RETAIL: 'Varejo',
  TRAVEL: 'Viagens',
  RESTAURANT: 'Restaurante',
} as const

const site = z
  .string()
  .max(256, 'Use no máximo 256 letras.')
  .regex(/^https?:\/\/\S+$/, 'Informe um endereço que comece com https://.')
  .meta({ examples: ['https://loja.com.br'] })

/** Schema of a number's business profile. */
export const profileForm = z.strictObject({
  about: text(139),
  description: text(512),
  address: text(256),
  email: z.union([z.literal(''), z.email('Informe um e-mail válido.').max(128, 'Use no máximo 128 letras.')]),
  websites: z.array(site).max(2, 'São no máximo dois endereços.'),
  vertical: z.string().max(40),
})

/** Schema of the PIN for a number's registration. */
export const pinForm = z.strictObject({ pin: z.string().regex(/^\d{6}$/, 'Informe os seis dígitos do PIN.') })

/** Schema of the verification code sent to the number. */
export const codeForm = z.strictObject({ code: z.string().regex(/^\d{4,8}$/, 'Informe os dígitos do código.') })
