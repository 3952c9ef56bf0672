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
  /** In which language it speaks; `auto`: the visitor's, where it is one of them. */
  locale: z.enum(['auto', 'pt', 'en', 'es']).default('auto'),
}

/** What a visitor may be asked for before the conversation. */
export const VISIT_FIELDS = ['name', 'email', 'phone', 'cpf'] as const
export type VisitField = (typeof VISIT_FIELDS)[number]

const asked = z.enum(['no', 'optional', 'required']).default('no')

/** What is asked before the conversation, and to what the visitor has to agree; no words ask for nothing. */
const visitForm = z.strictObject({
  isOn: z.boolean().default(false),
  ...{ name: asked, email: asked, phone: asked, cpf: asked },
  consent: text(600).default(''),
})

/** While nobody is there: whether a message with an e-mail address is taken, and what is said about it. */
const absentForm = z.strictObject({ isOn: z.boolean().default(false), text: text(300).default('') })

/** On which pages (`*` stands for anything) the conversation opens by itself, after how many seconds. */
const opening = z.strictObject({
  path: z
    .string()
    .trim()
    .regex(/^[/*]\S*$/, 'Escreva o caminho da página, como /precos ou /produtos/*.')
    .max(200),
  seconds: z.number().int().min(0).max(3600),
})

/** How a channel looks on a customer's site and what it says before anyone answers; `color` null follows the company's. */
export const webchatLook = z.strictObject(lookFields)

const domain = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^(\*\.)?([a-z0-9-]+\.)*[a-z0-9-]+(:\d{1,5})?$/, 'Escreva só o domínio, como loja.com.br ou *.loja.com.br.')

const NO_PAGE = 'Informe o endereço da página, como loja.com.br.'

/** A page on which a channel is to be looked for; without a scheme it is https. */
export const webchatSite = z.strictObject({
  url: z
    .string()
    .trim()
    .max(2000)
    .regex(/^(https?:\/\/)?[^\s:/?#@]+(:\d{1,5})?([/?#]\S*)?$/i, NO_PAGE)
    .transform((url) => (/^https?:/i.test(url) ? url : `https://${url}`))
    .refine((url) => URL.canParse(url), NO_PAGE),
})

/** What a company decides about one webchat channel. */
export const webchatChannelForm = z.strictObject({
  name: text(60, 1),
  queueId: id.nullable(),
  look: webchatLook,
  /** Sites that may show the channel; none = any. */
  domains: z.array(domain).max(30),
  /** `setUser` only with a proof from the company's own server. */
  requiresProof: z.boolean(),
  form: visitForm.prefault({}),
  absent: absentForm.prefault({}),
  openings: z.array(opening).max(10).default([]),
  /** What whoever has gone did not get goes to the e-mail address that they left, where the company has mail. */
  mails: z.boolean().default(true),
})

const short = (max: number) => z.string().trim().max(max).default('')

/** What a visitor filled in; `isAgreed` to the words that stood there. */
export const visitAnswers = z.strictObject({
  name: short(120),
  email: z.union([z.literal(''), z.email('Informe um e-mail válido.').max(254)]).default(''),
  phone: short(32),
  cpf: short(20),
  isAgreed: z.boolean().default(false),
})
