import { z } from 'zod'
import { color, id, text } from '#kit/fields.ts'

/** Fields of a channel's appearance. */
export const lookFields = {
  title: text(60, 1),
  welcome: text(300),
  away: text(80),
  color: color.nullable(),
  position: z.enum(['right', 'left']),
  theme: z.enum(['auto', 'light', 'dark']),
  /** Language of the widget; `auto`: the visitor's, if supported. */
  locale: z.enum(['auto', 'pt', 'en', 'es']).default('auto'),
}

/** Fields that a visitor may have to fill in before the conversation. */
export const VISIT_FIELDS = ['name', 'email', 'phone', 'cpf'] as const
export type VisitField = (typeof VISIT_FIELDS)[number]

const asked = z.enum(['no', 'optional', 'required']).default('no')

/** Schema of the visitor form and its consent text; an empty text requires no consent. */
const visitForm = z.strictObject({
  isOn: z.boolean().default(false),
  ...{ name: asked, email: asked, phone: asked, cpf: asked },
  consent: text(600).default(''),
})

/** Schema of the absence mode: whether messages with an e-mail address are accepted, and the text shown. */
const absentForm = z.strictObject({ isOn: z.boolean().default(false), text: text(300).default('') })

/** Schema of automatic opening: pages (`*` is a wildcard) and delay in seconds. */
const opening = z.strictObject({
  path: z
    .string()
    .trim()
    .regex(/^[/*]\S*$/, 'Escreva o caminho da página, como /precos ou /produtos/*.')
    .max(200),
  seconds: z.number().int().min(0).max(3600),
})

/** Schema of a channel's appearance and texts; `color` null: the company's. */
export const webchatLook = z.strictObject(lookFields)

const domain = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^(\*\.)?([a-z0-9-]+\.)*[a-z0-9-]+(:\d{1,5})?$/, 'Escreva só o domínio, como loja.com.br ou *.loja.com.br.')

const NO_PAGE = 'Informe o endereço da página, como loja.com.br.'

/** Schema of a page to check for the widget; the default scheme is https. */
export const webchatSite = z.strictObject({
  url: z
    .string()
    .trim()
    .max(2000)
    .regex(/^(https?:\/\/)?[^\s:/?#@]+(:\d{1,5})?([/?#]\S*)?$/i, NO_PAGE)
    .transform((url) => (/^https?:/i.test(url) ? url : `https://${url}`))
    .refine((url) => URL.canParse(url), NO_PAGE),
})

/** Schema of a webchat channel's settings. */
export const webchatChannelForm = z.strictObject({
  name: text(60, 1),
  queueId: id.nullable(),
  look: webchatLook,
  /** Sites that may embed the channel; empty: any. */
  domains: z.array(domain).max(30),
  /** Whether `setUser` requires a proof from the company's server. */
  requiresProof: z.boolean(),
  form: visitForm.prefault({}),
  absent: absentForm.prefault({}),
  openings: z.array(opening).max(10).default([]),
  /** Whether messages to visitors who have left are sent to their e-mail address, if the company has mail. */
  mails: z.boolean().default(true),
})

const short = (max: number) => z.string().trim().max(max).default('')

/** Schema of a visitor's form answers; `isAgreed` refers to the consent text shown. */
export const visitAnswers = z.strictObject({
  name: short(120),
  email: z.union([z.literal(''), z.email('Informe um e-mail válido.').max(254)]).default(''),
  phone: short(32),
  cpf: short(20),
  isAgreed: z.boolean().default(false),
})
