import { z } from 'zod'
import { PAGE_ADDRESS } from '#domain/messages/interactive.ts'
import { MAIL_ADDRESS, MOST_RECEIVERS } from '#domain/messages/mail.ts'
import { id, inForm, text } from '#kit/fields.ts'

/** Input of a contact card. */
export const contactCard = z.strictObject({
  fullName: text(120, 1),
  phoneNumber: z
    .string({ error: 'Informe o telefone.' })
    .trim()
    .regex(/^\+?[\d\s().-]{8,30}$/, 'Informe um telefone com DDD.'),
  wuid: z
    .string()
    .regex(/^\d{5,20}$/)
    .optional(),
})

const degrees = (most: number, error: string) =>
  z.coerce.number<number | string>({ error }).min(-most, error).max(most, error)

/** Input of a location. */
export const geoLocation = z.strictObject({
  latitude: degrees(90, 'A latitude vai de −90 a 90.'),
  longitude: degrees(180, 'A longitude vai de −180 a 180.'),
  name: text(200).optional(),
  address: text(300).optional(),
})

const areDifferent = (all: readonly (string | undefined)[]): boolean => {
  const given = all.filter((one) => one !== undefined)
  return new Set(given).size === given.length
}

// The largest limit of any channel; the channel's own limit is reported with its name.
const prose = (min = 0) => text(4096, min)
const named = text(200, 1).optional()
const labels = (all: readonly { text: string }[]) => all.map((one) => one.text)
const common = {
  ticketId: id,
  body: prose(1),
  idFront: z.string().min(8).max(80).optional(),
}
const framed = { ...common, header: prose().optional(), footer: prose().optional() }

const buttonMessage = z.strictObject({
  ...common,
  type: z.literal('buttons').optional(),
  footer: prose().optional(),
  buttons: z
    .array(z.strictObject({ id: text(256, 1).optional(), text: prose(1) }))
    .min(1, 'Faça ao menos um botão.')
    .max(100, 'No máximo cem botões.')
    .refine((all) => areDifferent(labels(all)), 'Os botões precisam de textos diferentes.')
    .refine((all) => areDifferent(all.map((one) => one.id)), 'Os botões precisam de nomes diferentes.'),
})

const listSection = z.strictObject({
  title: prose().optional(),
  rows: z
    .array(z.strictObject({ id: named, title: prose(1), description: prose().optional() }))
    .min(1, 'Dê ao menos uma opção.')
    .max(100, 'No máximo cem opções.'),
})

const listMessage = z.strictObject({
  ...framed,
  type: z.literal('list'),
  list: z.strictObject({
    button: prose(1),
    sections: z
      .array(listSection)
      .min(1, 'Dê ao menos uma opção.')
      .max(100, 'No máximo cem seções.')
      .refine(
        (all) => areDifferent(all.flatMap(({ rows }) => rows.map((row) => row.id))),
        'As opções precisam de nomes diferentes.',
      ),
  }),
})

const linkMessage = z.strictObject({
  ...framed,
  type: z.literal('cta_url'),
  link: z.strictObject({
    text: prose(1),
    url: z
      .string({ error: 'Informe o endereço.' })
      .trim()
      .max(2000, 'No máximo 2.000 letras.')
      .regex(PAGE_ADDRESS, 'O endereço começa com https:// e não tem espaços.'),
  }),
})

const formMessage = z.strictObject({
  ...framed,
  type: z.literal('form'),
  form: z.strictObject({
    text: prose(1),
    formId: z
      .string({ error: 'Informe o ID do formulário.' })
      .trim()
      .regex(/^\d{1,40}$/, 'O ID do formulário tem só algarismos.'),
  }),
})

/** Input of an interactive message; without a type it has buttons. */
export const interactiveMessage = z.discriminatedUnion(
  'type',
  [
    buttonMessage,
    listMessage,
    linkMessage,
    formMessage,
    z.strictObject({ ...common, type: z.literal('location_request') }),
  ],
  { error: 'Escolha o tipo da mensagem.' },
)

/** Input of a poll; `many`: several options may be chosen. */
export const pollMessage = z.strictObject({
  ticketId: id,
  body: text(255, 1),
  options: z
    .array(text(100, 1))
    .min(2, 'Dê ao menos duas opções.')
    .max(12, 'No máximo doze opções.')
    .refine(areDifferent, 'As opções precisam ser diferentes.'),
  many: z.boolean().default(false),
})

/** Schema of a template to send, with its values by key; as text in a form. */
export const templateWish = inForm(
  z.strictObject({
    name: z.string().min(1).max(512),
    language: z.string().min(2).max(20),
    values: z.record(z.string().max(100), z.string().max(1024)).default({}),
  }),
)

const mailPerson = z.strictObject({
  name: text(120).default(''),
  address: z
    .string({ error: 'Informe um e-mail.' })
    .trim()
    .toLowerCase()
    .max(254, 'No máximo 254 letras.')
    .regex(MAIL_ADDRESS, 'Informe um e-mail válido.'),
})
const mailPeople = z.array(mailPerson).max(MOST_RECEIVERS, 'No máximo cinquenta destinatários.').default([])

/**
 * Schema of subject and recipients of a mail; as text in a form. Without `to` it goes to the last author, with `toAll` to
 * everyone of that mail.
 */
export const mailWish = inForm(
  z.strictObject({
    ...{ subject: text(300).default(''), to: mailPeople, cc: mailPeople, bcc: mailPeople },
    toAll: z.boolean().default(false),
  }),
)

const typed = z.string().max(4000, 'No máximo 4.000 letras.')

/** Draft of a mail. */
export const mailDraft = z.strictObject({
  ...{ mode: z.enum(['reply', 'all', 'own']), subject: z.string().max(300, 'No máximo 300 letras.') },
  ...{ to: typed, cc: typed, bcc: typed },
})
