import { z } from 'zod'
import { maskName, maskValue, withholdAll } from '#domain/access/restricted.ts'
import { ALL_MEASURES, SPLITS } from '#domain/reports/measures.ts'
import { OTHER_COLUMNS, OTHERS, SUMMARIES, SUMMARY_SPLITS } from '#domain/reports/summaries.ts'
import { ALL_SWITCHES } from '#domain/reports/switches.ts'
import { contract } from '#kit/contract.ts'
import { day, done, epochMs, flag, id, isoTime, many, pageAnswer, pageQuery, text } from '#kit/fields.ts'
import { hidden } from '#kit/hidden.ts'
import * as at from './addresses.ts'

const count = z.number().int()
const idOrNone = z.union([z.literal('none'), id], 'Informe um número, ou “none”.')
const money = z.coerce.number<number | string>().min(0).max(1e12)

/** What reports of tickets are asked for: days in the company's zone, both included; lists of none are no condition. */
export const reportQuery = z.object({
  startDate: day,
  endDate: day,
  /** With the conversations of groups, or without. */
  groups: flag,
  queues: many(idOrNone),
  userId: many(idOrNone),
  reasons: many(idOrNone),
  tags: many(id),
  channel: many(z.string().max(40)),
  whatsappId: many(id),
  status: many(z.enum(['open', 'pending', 'closed'])),
  valueMin: money.optional(),
  valueMax: money.optional(),
  /** What measures of time leave out. */
  times: many(z.enum(ALL_SWITCHES)),
})

/** The tickets of a report: all of them, those that make a measure's number, or those that were resolved in the period. */
export const rowsQuery = reportQuery.extend({
  measure: z.enum(ALL_MEASURES).default('tickets'),
  /** `closedAt`: the period is that of the ends of tickets, in place of their beginnings. */
  by: z.enum(['createdAt', 'closedAt']).default('createdAt'),
  hour: z.coerce.number<number | string>().int().min(0).max(23).optional(),
  /** 0 is Sunday. */
  weekday: z.coerce.number<number | string>().int().min(0).max(6).optional(),
  cursor: pageQuery.shape.cursor,
})

const ticket = z.object({
  id: count,
  status: z.enum(['open', 'pending', 'closed']),
  contactId: count,
  name: hidden(z.string(), maskName),
  number: hidden(z.string().nullable(), maskValue),
  whatsappId: count,
  whatsapp: z.string(),
  channel: z.string(),
  lastMessage: hidden(z.string(), maskValue),
  unreadMessages: count,
  reason: z.string().nullable(),
  queue: z.string().nullable(),
  user: z.string().nullable(),
  value: z.string().nullable(),
  /** How many notes were written in it. */
  notes: count,
  /** The customer's latest rating. */
  rating: count.nullable(),
  createdAt: isoTime,
  startedAttendanceAt: epochMs.nullable(),
  closedAt: epochMs.nullable(),
  /** What the measure counts of it, in ms, grades or cents; null of measures that count tickets. */
  amount: count.nullable(),
})

/** A ticket of a report, as a browser reads it. */
export type ReportTicket = z.output<typeof ticket>

const tickets = z.object({ tickets: z.array(ticket), ...pageAnswer })

const difference = z.object({
  measure: z.enum(ALL_MEASURES),
  day: z.string(),
  split: z.enum(SPLITS),
  key: z.string(),
  stored: z.number().nullable(),
  recomputed: z.number().nullable(),
})

const proof = z.object({
  /** Epoch ms; null before the first proof. */
  at: epochMs.nullable(),
  days: count,
  figures: count,
  differences: z.array(difference),
})

/** The last proof of the stored figures, as a browser reads it. */
export type ReportProof = z.output<typeof proof>

/** What reports are made of, and whether it is right. */
export const reports = contract(at.reports, {
  proof: { summary: 'A última prova: os números guardados, recontados, e onde diferiam', returns: proof },
  prove: {
    summary: 'Recontar agora todos os números guardados de 35 dias; o que difere é dito e corrigido',
    mode: 'slow',
    returns: proof,
    audit: true,
  },
  rows: {
    summary: 'Os atendimentos que formam um número; `count` é o próprio número',
    query: rowsQuery,
    returns: tickets,
    errors: ['ERR_VALIDATION'],
  },
})

const label = { id: count.nullable(), label: z.string().nullable() }
const interval = z
  .object({ hours: count, minutes: count, seconds: count, milliseconds: count })
  .describe('Um intervalo; some horas, minutos, segundos e milissegundos')
  .nullable()
const totals = z.object({
  qtd_total_atendimentos: count,
  qtd_demanda_ativa: count,
  qtd_demanda_receptiva: count,
  /** Null for those who do not see all contacts. */
  new_contacts: count.nullable(),
  tma: interval,
  tme: interval,
  /** From the beginning to the first message that a person wrote. */
  first_response: interval,
  sla_met: count,
  sla_missed: count,
  rating: z.number().nullable(),
  rated: count,
  asked: count,
  by_bot: count,
  value: z.string(),
})
const person = z.object({
  id: count.nullable(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  qtd_pendentes: count,
  qtd_em_atendimento: count,
  qtd_resolvidos: count,
  qtd_por_usuario: count,
})
const evolution = z.object({ dt_ref: z.string(), ...label, qtd: count })
const splitBy = (what: string) => `Atendimentos do período por ${what}; as linhas somam o total`
const rowsOf = <T extends z.ZodType>(row: T) => z.array(row)

/** The numbers of a period: the company's, or those of what somebody sees or attends. */
export const statistics = contract(at.statistics, {
  times: {
    summary: 'Totais e tempos do período, dia a dia, e os do período anterior do mesmo tamanho',
    query: reportQuery,
    returns: totals.extend({
      /** Whether the figures are the whole company's, or those of one's own attendances. */
      scope: z.enum(['all', 'seen', 'own']),
      previous: totals,
      days: z.array(totals.omit({ new_contacts: true }).extend({ dt_ref: z.string(), new_contacts: count.nullable() })),
    }),
  },
  channels: {
    summary: splitBy('canal'),
    query: reportQuery,
    returns: rowsOf(z.object({ label: z.string(), qtd: count })),
  },
  queue: { summary: splitBy('fila'), query: reportQuery, returns: rowsOf(z.object({ ...label, qtd: count })) },
  user: {
    summary: splitBy('responsável'),
    query: reportQuery,
    returns: rowsOf(z.object({ id: count.nullable(), name: z.string().nullable(), qtd: count })),
  },
  status: {
    summary: splitBy('status'),
    query: reportQuery,
    returns: rowsOf(z.object({ status: z.enum(['open', 'pending', 'closed']), qtd: count })),
  },
  reasons: { summary: splitBy('motivo'), query: reportQuery, returns: rowsOf(z.object({ ...label, qtd: count })) },
  hours: {
    summary: splitBy('dia da semana e hora em que começaram'),
    query: reportQuery,
    returns: rowsOf(z.object({ weekday: count, hour: count, qtd: count })),
  },
  evolutionChannels: {
    summary: 'Atendimentos por dia e canal',
    query: reportQuery,
    returns: rowsOf(z.object({ dt_ref: z.string(), label: z.string(), qtd: count })),
  },
  evolutionChannelsName: {
    summary: 'Atendimentos por dia e nome do canal',
    query: reportQuery,
    returns: rowsOf(evolution),
  },
  evolutionByPeriod: {
    summary: 'Atendimentos que começaram e que foram resolvidos em cada dia',
    query: reportQuery,
    returns: rowsOf(z.object({ dt_ref: z.string(), label: z.string(), qtd: count, resolved: count })),
  },
  evolutionByValue: {
    summary: 'Valor dos atendimentos que começaram em cada dia',
    query: reportQuery,
    returns: rowsOf(z.object({ dt_ref: z.string(), label: z.string(), value: z.string() })),
  },
  perUsersDetail: {
    summary: 'Desempenho por responsável',
    query: reportQuery,
    returns: rowsOf(
      person.extend({
        tma: interval,
        tme: interval,
        first_response: interval,
        rating: z.number().nullable(),
        rated: count,
      }),
    ),
  },
})

const names = z.array(z.string())
const contact = z.object({
  id: count,
  name: hidden(z.string(), maskName),
  number: hidden(z.string().nullable(), maskValue),
  email: hidden(z.string(), maskValue),
  /** Name and value of each; what stands in the company's own fields too. */
  extraInfo: hidden(z.array(z.object({ name: z.string(), value: z.string() })), withholdAll),
  tags: names,
  /** The state of the number's area, such as “SP”; null for what is no Brazilian number. */
  state: z.string().nullable(),
  kanban: z.string().nullable(),
  wallets: names,
  /** The last ad or post that the contact came from: its headline, or else its id; null where there was none. */
  ad: z.string().nullable(),
  createdAt: isoTime,
})

/** A contact of a report, as a browser reads it. */
export type ReportContact = z.output<typeof contact>

const contactQuery = z.object({
  /** First and last day on which contacts were made, in the company's zone. */
  startDate: day.optional(),
  endDate: day.optional(),
  tags: many(id),
  /** Area codes of Brazil. */
  ddds: many(z.string().regex(/^[1-9]\d$/, 'Informe o DDD com dois dígitos.')),
  kanban: many(id),
  wallets: many(id),
  /** Whether the contact came by an ad. */
  fromAd: flag,
  cursor: pageQuery.shape.cursor,
})

/** What a summary is asked for; `by` splits those of tickets, `user` the funnel's by owner, `day` presence. */
const summaryQuery = reportQuery.extend({
  report: z.enum(SUMMARIES),
  by: z.enum([...SUMMARY_SPLITS, 'day']).optional(),
})

/** A number of a summary that counts no tickets: its column, and its row (without: the total). */
const detailsQuery = summaryQuery.extend({
  report: z.enum(OTHERS),
  column: z.enum(OTHER_COLUMNS),
  key: z.string().max(40).optional(),
  cursor: pageQuery.shape.cursor,
})

const detail = z.object({
  id: z.string(),
  name: hidden(z.string(), maskName),
  number: hidden(z.string().nullable(), maskValue),
  /** Of a ticket, a recipient or an opportunity; of presence the column. */
  state: z.string(),
  at: isoTime,
  /** When it ended; null where it has not, or has no end. */
  until: isoTime.nullable(),
  value: z.string().nullable(),
  /** Where it is shown itself. */
  path: z.string().nullable(),
})

/** A row that makes a number of a summary, as a browser reads it. */
export type ReportDetail = z.output<typeof detail>

const value = z.number().nullable()
const summary = z.object({
  columns: z.array(
    z.object({
      key: z.string(),
      title: z.string(),
      unit: z.enum(['count', 'percent', 'ms', 'grade', 'cents']),
      /** The measure whose tickets the number counts; null where it counts none. */
      opens: z.enum(ALL_MEASURES).nullable(),
    }),
  ),
  /** A key of '' is what has none; `path` is where the row itself is shown. */
  rows: z.array(z.object({ key: z.string(), label: z.string(), path: z.string().nullable(), values: z.array(value) })),
  total: z.array(value),
  by: z.enum(SUMMARY_SPLITS).nullable(),
})

/** A summary, as a browser reads it. */
export type ReportSummary = z.output<typeof summary>

const whole = {
  tickets: { report: z.literal('tickets'), filter: rowsQuery.omit({ cursor: true }) },
  contacts: { report: z.literal('contacts'), filter: contactQuery.omit({ cursor: true }) },
  users: { report: z.literal('users'), filter: reportQuery },
  summary: { report: z.literal('summary'), filter: summaryQuery },
}
const format = z.enum(['xlsx', 'csv'])

/** The named reports, and their files. */
export const namedReports = contract(at.namedReports, {
  tickets: {
    summary: 'Relatório de atendimentos, do mais novo ao mais antigo',
    query: rowsQuery,
    returns: tickets,
    errors: ['ERR_VALIDATION'],
  },
  contacts: {
    summary: 'Relatório de contatos, do mais novo ao mais antigo',
    query: contactQuery,
    returns: z.object({ contacts: z.array(contact), ...pageAnswer }),
    errors: ['ERR_VALIDATION'],
  },
  users: {
    summary: 'Resumo por usuário: o que cada um tem dos atendimentos do período',
    query: reportQuery,
    returns: rowsOf(person),
    errors: ['ERR_VALIDATION'],
  },
  summaries: {
    summary: 'Resumo de SLA, avaliações, bots, campanhas, funil ou presença num período; as linhas somam o total',
    query: summaryQuery,
    returns: summary,
    errors: ['ERR_VALIDATION', 'ERR_NO_PERMISSION'],
  },
  details: {
    summary: 'As linhas que formam um número de bots, campanhas, funil ou presença',
    query: detailsQuery,
    returns: z.object({ rows: z.array(detail), ...pageAnswer }),
    errors: ['ERR_VALIDATION', 'ERR_NO_PERMISSION'],
  },
  export: {
    summary: 'O relatório inteiro como planilha, enviada enquanto é feita',
    mode: 'slow',
    body: z.discriminatedUnion('report', [
      z.strictObject({ ...whole.tickets, format }),
      z.strictObject({ ...whole.contacts, format }),
      z.strictObject({ ...whole.users, format }),
      z.strictObject({ ...whole.summary, format }),
    ]),
    returns: z.unknown(),
    errors: ['ERR_VALIDATION'],
    audit: true,
  },
})

/** What a saved report asks for, as its export does. */
export const savedBody = z.discriminatedUnion('report', [
  z.strictObject(whole.tickets),
  z.strictObject(whole.contacts),
  z.strictObject(whole.users),
  z.strictObject(whole.summary),
])

const viewForm = z.strictObject({
  name: text(60, 1),
  /** The report's own part of its address, and what its screen keeps there. */
  path: z.string().regex(/^[a-z-]{1,60}$/, 'Este relatório não existe.'),
  search: z
    .record(z.string().max(40), z.string().max(2000))
    .refine((search) => Object.keys(search).length <= 30, 'São filtros demais.'),
  body: savedBody,
  /** How often it is sent by mail; null: not at all. */
  frequency: z.enum(['weekly', 'monthly']).nullable().default(null),
  /** To whom: people of the company who may read it. */
  recipients: z.array(id).max(50, 'Escolha no máximo 50 pessoas.').default([]),
})

const view = z.object({
  id: count,
  ...viewForm.omit({ body: true, frequency: true, recipients: true }).shape,
  frequency: z.enum(['weekly', 'monthly']).nullable(),
  recipients: z.array(count),
  nextAt: isoTime.nullable(),
  sentAt: isoTime.nullable(),
})

/** A saved report, as a browser reads it. */
export type ReportView = z.output<typeof view>

/** Reports that somebody saved for themselves, and who gets them by mail. */
export const reportViews = contract(at.reportViews, {
  list: { summary: 'Os relatórios que quem pede salvou, por nome', returns: z.object({ views: z.array(view) }) },
  readers: {
    summary: 'Quem da empresa pode receber relatórios por e-mail, por nome',
    returns: z.object({ people: z.array(z.object({ id: count, name: z.string() })) }),
  },
  create: {
    summary: 'Salvar um relatório com os seus filtros; com frequency, ele vai por e-mail',
    body: viewForm,
    returns: view,
    errors: ['ERR_MAX_REPORT_VIEWS', 'ERR_MAIL_NOT_CONFIGURED', 'ERR_VALIDATION'],
    audit: true,
  },
  update: {
    summary: 'Mudar um relatório salvo; o que não vem no pedido fica como está',
    body: viewForm.partial().extend({
      frequency: z.enum(['weekly', 'monthly']).nullable().optional(),
      recipients: z.array(id).max(50, 'Escolha no máximo 50 pessoas.').optional(),
    }),
    returns: view,
    errors: ['ERR_NO_REPORT_VIEW_FOUND', 'ERR_MAIL_NOT_CONFIGURED', 'ERR_VALIDATION'],
    audit: true,
  },
  remove: {
    summary: 'Excluir um relatório salvo; ele não vai mais por e-mail',
    returns: done,
    errors: ['ERR_NO_REPORT_VIEW_FOUND'],
    audit: true,
  },
})

/** The period's totals, as a browser reads them. */
export type Totals = z.output<typeof statistics.times.returns>
/** An interval, as a browser reads it. */
export type Interval = z.output<typeof interval>
/** A person's numbers, as a browser reads them. */
export type PersonRow = z.output<typeof statistics.perUsersDetail.returns>[number]

declare module '#kit/contract.ts' {
  interface Contracts {
    reports: typeof reports
    statistics: typeof statistics
    namedReports: typeof namedReports
    reportViews: typeof reportViews
  }
}
