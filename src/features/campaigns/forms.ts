import { z } from 'zod'
import { hoursProblems, USUAL_HOURS } from '#domain/campaigns/hours.ts'
import { isRecurrence } from '#domain/recurrence/rule.ts'
import { chosenId, formFlag, id, inForm, isoTime, text } from '#kit/fields.ts'

/** Schema of the URL from which a message's file is fetched once; '' for none. */
export const mediaUrl = text(2000)
  .refine((url) => url === '' || /^https?:\/\/\S+$/i.test(url), 'Informe um endereço que comece com https://.')
  .default('')

/** Maximum length of a message, in characters. */
export const MOST_LETTERS = 4096

/** Schema of the interval between two messages, in seconds. */
export const seconds = z.coerce
  .number<number | string>({ error: 'Informe os segundos.' })
  .int('Informe os segundos sem vírgula.')
  .min(0, 'Informe os segundos.')
  .max(86_400, 'No máximo um dia.')

const timeOfDay = z.string().regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'Informe a hora (HH:MM).')

const optional = inForm(id.nullable())

/** Schema of a provider's message template, with the values of its variables. */
export const template = z.strictObject({
  name: text(512, 1),
  language: text(20, 1),
  values: z.record(z.string().max(60), z.string().max(1000)).default({}),
})

/** Schema of a follow-up to recipients without an answer, some days after the campaign's end. */
const followUp = z.strictObject({
  days: z.coerce
    .number<number | string>()
    .int('Informe os dias.')
    .min(1, 'Ao menos 1 dia.')
    .max(90, 'No máximo 90 dias.'),
  message: text(MOST_LETTERS).default(''),
  template: template.nullable().default(null),
})

const weight = z.coerce.number<number | string>().int().min(0, 'De 0 a 100.').max(100, 'De 0 a 100.')

/** Schema of a campaign's fields, without the rules between them. */
const fields = z.strictObject({
  name: text(120, 1),
  /** Start of the campaign. */
  start: isoTime,
  /** Id of the sending connection. */
  sessionId: chosenId('Escolha por onde enviar.'),
  /** Interval between two messages, in seconds. */
  delay: seconds.default(20),
  message1: text(MOST_LETTERS).default(''),
  message2: text(MOST_LETTERS).default(''),
  message3: text(MOST_LETTERS).default(''),
  /** Weights of the messages, which determine the share of recipients of each. */
  weights: inForm(z.array(weight).length(3)).default([1, 1, 1]),
  /** Template in place of the messages, on official channels. */
  template: inForm(template.nullable()).default(null),
  windowStart: timeOfDay.default(USUAL_HOURS.windowStart),
  windowEnd: timeOfDay.default(USUAL_HOURS.windowEnd),
  weekdays: inForm(z.array(z.number().int().min(0).max(6)).max(7)).default([...USUAL_HOURS.weekdays]),
  skipsHolidays: formFlag.default(true),
  purpose: z.enum(['marketing', 'utility']).default('marketing'),
  /** Maximum number of campaigns per contact and week; null: unlimited. */
  perWeek: inForm(z.number().int().min(1).max(50).nullable()).default(2),
  /** Whether contacts with an open conversation are skipped. */
  skipsOpen: formFlag.default(true),
  /** Queue, tag and chat flow for answers. */
  replyQueueId: optional.default(null),
  replyTagId: optional.default(null),
  replyFlowId: optional.default(null),
  /** RRULE of repetitions, each with newly selected recipients; null: sent once. */
  recurrence: inForm(z.string().refine(isRecurrence, 'Esta repetição não é possível.').nullable()).default(null),
  followUp: inForm(followUp.nullable()).default(null),
  mediaUrl,
  /** Whether the file of the messages is removed. */
  removeFile: formFlag.default(false),
})

type Fields = z.output<typeof fields>

/** Returns errors between the fields of a campaign, by field. */
function problemsOf(values: Fields): Record<string, string> {
  const problems = hoursProblems(values)
  if (values.replyQueueId !== null && values.replyFlowId !== null)
    problems['replyFlowId'] = 'Escolha uma fila ou um chatbot, não os dois.'
  if (values.followUp && !values.followUp.template && values.followUp.message === '')
    problems['followUp'] = 'Escreva a mensagem de quem não respondeu.'
  const texts = [values.message1, values.message2, values.message3]
  if (!values.template && texts[0] === '') problems['message1'] = 'Escreva a mensagem.'
  if (!values.template && texts.every((one, n) => one === '' || values.weights[n] === 0))
    problems['weights'] ??= 'Alguma mensagem precisa de uma parte dos contatos.'
  return problems
}

const checked = (values: Fields, context: z.RefinementCtx) => {
  for (const [field, message] of Object.entries(problemsOf(values)))
    context.addIssue({ code: 'custom', message, path: [field] })
}

/** Schema of a new or changed campaign. */
export const campaignForm = fields.superRefine(checked)
