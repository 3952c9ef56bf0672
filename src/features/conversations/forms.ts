import { z } from 'zod'
import { color, id, inForm, moment, text } from '#kit/fields.ts'

/** A contact card as somebody sends it. */
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

/** A place as somebody sends it. */
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

/** A message with buttons as somebody sends it. */
export const buttonMessage = z.strictObject({
  ticketId: id,
  body: text(1024, 1),
  footer: text(60).optional(),
  buttons: z
    .array(z.strictObject({ id: text(256, 1).optional(), text: text(20, 1) }))
    .min(1, 'Faça ao menos um botão.')
    .max(13, 'No máximo treze botões.')
    .refine((all) => areDifferent(all.map((one) => one.text)), 'Os botões precisam de textos diferentes.')
    .refine((all) => areDifferent(all.map((one) => one.id)), 'Os botões precisam de nomes diferentes.'),
})

/** A poll as somebody sends it; `many`: of several one may choose more than one. */
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

/** What is imported of a connection: so many of the newest messages of each conversation, of the time from `since` to `until`. */
export const historyForm = z.strictObject({
  whatsappId: id,
  limit: z.coerce
    .number<number | string>({ error: 'Informe quantas mensagens.' })
    .int('Informe um número inteiro.')
    .min(1, 'Informe ao menos 1.')
    .max(1000, 'No máximo 1.000 mensagens por conversa.')
    .default(100),
  since: moment.optional(),
  until: moment.optional(),
  /** Whether those of groups come as well. */
  groups: z.boolean().default(true),
  tenantId: id.optional(),
})

const tagIds = z.array(id).min(1, 'Escolha ao menos uma etiqueta.').max(20, 'No máximo 20 etiquetas por passo.')
const body = text(4000, 1)

/** One action of a macro. */
export const actionForm = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.enum(['tag', 'untag']), tagIds }),
    z.strictObject({ kind: z.literal('queue'), queueId: id }),
    /** Null: whoever uses the macro. */
    z.strictObject({ kind: z.literal('person'), userId: id.nullable() }),
    z.strictObject({ kind: z.enum(['note', 'text']), body }),
    z.strictObject({ kind: z.literal('stage'), stageId: id }),
    /** Why; null: as whoever uses the macro says. */
    z.strictObject({ kind: z.literal('close'), reasonId: id.nullish() }),
    z.strictObject({
      kind: z.literal('snooze'),
      minutes: z.coerce
        .number<number | string>({ error: 'Informe por quanto tempo.' })
        .int('Informe um número inteiro.')
        .min(1, 'Informe ao menos 1 minuto.')
        .max(525_600, 'Adie por no máximo um ano.'),
    }),
  ],
  { error: 'Escolha o que o passo faz.' },
)

/** What a change of a macro may carry; what is left out stays. */
export const macroChanges = z
  .strictObject({
    name: text(60, 1),
    color,
    audience: z.enum(['person', 'queue', 'company'], { error: 'Escolha quem usa.' }),
    queueId: id.nullable(),
    actions: z.array(actionForm).min(1, 'Inclua ao menos um passo.').max(20, 'No máximo 20 passos.'),
  })
  .partial()

/** What a new macro is made from. */
export const macroForm = macroChanges.required({ name: true, actions: true })

/** A template to be sent, with its values by their keys; in a form as a text. */
export const templateWish = inForm(
  z.strictObject({
    name: z.string().min(1).max(512),
    language: z.string().min(2).max(20),
    values: z.record(z.string().max(100), z.string().max(1024)).default({}),
  }),
)
