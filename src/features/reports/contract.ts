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

/** Query of ticket reports: days in the company's time zone, both included; empty lists do not filter. */
export const reportQuery = z.object({
  startDate: day,
  endDate: day,
  /** Includes group conversations. */
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
  /** Time switches: what time measures leave out. */
  times: many(z.enum(ALL_SWITCHES)),
})

/** Query of a report's tickets: all, those behind a measure's number, or those closed in the period. */
export const rowsQuery = reportQuery.extend({
  measure: z.enum(ALL_MEASURES).default('tickets'),
  /** `closedAt`: the period selects by closing instead of creation. */
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
  /** Number of notes. */
  notes: count,
  /** Latest rating by the customer. */
  rating: count.nullable(),
  createdAt: isoTime,
  startedAttendanceAt: epochMs.nullable(),
  closedAt: epochMs.nullable(),
  /** Amount that the measure counts, in ms, grades or cents; null for measures that count tickets. */
  amount: count.nullable(),
})

/** Ticket of a report as the browser gets it. */
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

/** Last proof of the stored figures as the browser gets it. */
export type ReportProof = z.output<typeof proof>

/** API contract of the tickets behind reports, and of the proof of stored figures. */
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
  /** Null for users who do not see all contacts. */
  new_contacts: count.nullable(),
  tma: interval,
  tme: interval,
  /** Time from creation to a person's first message. */
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

/** API contract of a period's statistics: the company's, or those of the tickets that a user sees or attends. */
export const statistics = contract(at.statistics, {
  times: {
    summary: 'Totais e tempos do período, dia a dia, e os do período anterior do mesmo tamanho',
    query: reportQuery,
    returns: totals.extend({
      /** Scope of the figures: the whole company's, visible tickets, or own ones. */
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
  /** Additional info as name and value, custom fields included. */
  extraInfo: hidden(z.array(z.object({ name: z.string(), value: z.string() })), withholdAll),
  tags: names,
  /** State of the number's area code, such as “SP”; null for non-Brazilian numbers. */
  state: z.string().nullable(),
  kanban: z.string().nullable(),
  wallets: names,
  /** Headline, or else id, of the last ad or post that the contact came from; null if none. */
  ad: z.string().nullable(),
  createdAt: isoTime,
})

/** Contact of a report as the browser gets it. */
export type ReportContact = z.output<typeof contact>

const contactQuery = z.object({
  /** First and last day of creation, in the company's time zone. */
  startDate: day.optional(),
  endDate: day.optional(),
  tags: many(id),
  /** Brazilian area codes. */
  ddds: many(z.string().regex(/^[1-9]\d$/, 'Informe o DDD com dois dígitos.')),
  kanban: many(id),
  wallets: many(id),
  /** True for contacts that came by an ad. */
  fromAd: flag,
  cursor: pageQuery.shape.cursor,
})

/** Query of a summary; `by` splits tickets, `user` splits the funnel by owner, `day` splits presence. */
const summaryQuery = reportQuery.extend({
  report: z.enum(SUMMARIES),
  by: z.enum([...SUMMARY_SPLITS, 'day']).optional(),
})

/** Query of the rows behind a number of a summary without tickets: its column, and its row (absent: the total). */
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
  /** State of a ticket, recipient or opportunity; for presence the column. */
  state: z.string(),
  at: isoTime,
  /** End time; null if not ended, or without end. */
  until: isoTime.nullable(),
  value: z.string().nullable(),
  /** Path of the row's own screen. */
  path: z.string().nullable(),
})

/** Row behind a number of a summary as the browser gets it. */
export type ReportDetail = z.output<typeof detail>

const value = z.number().nullable()
const summary = z.object({
  columns: z.array(
    z.object({
      key: z.string(),
      title: z.string(),
      unit: z.enum(['count', 'percent', 'ms', 'grade', 'cents']),
      /** Measure whose tickets the number counts; null if it counts none. */
      opens: z.enum(ALL_MEASURES).nullable(),
    }),
  ),
  /** Rows; key '' is the row without a value, `path` leads to the record's own screen. */
  rows: z.array(z.object({ key: z.string(), label: z.string(), path: z.string().nullable(), values: z.array(value) })),
  total: z.array(value),
  by: z.enum(SUMMARY_SPLITS).nullable(),
})

/** Summary as the browser gets it. */
export type ReportSummary = z.output<typeof summary>

const whole = {
  tickets: { report: z.literal('tickets'), filter: rowsQuery.omit({ cursor: true }) },
  contacts: { report: z.literal('contacts'), filter: contactQuery.omit({ cursor: true }) },
  users: { report: z.literal('users'), filter: reportQuery },
  summary: { report: z.literal('summary'), filter: summaryQuery },
}
const format = z.enum(['xlsx', 'csv'])

/** API contract of named reports and their exports. */
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

/** Query of a saved report, like that of its export. */
export const savedBody = z.discriminatedUnion('report', [
  z.strictObject(whole.tickets),
  z.strictObject(whole.contacts),
  z.strictObject(whole.users),
  z.strictObject(whole.summary),
])

const viewForm = z.strictObject({
  name: text(60, 1),
  /** Report's part of the URL path, and its query parameters. */
  path: z.string().regex(/^[a-z-]{1,60}$/, 'Este relatório não existe.'),
  search: z
    .record(z.string().max(40), z.string().max(2000))
    .refine((search) => Object.keys(search).length <= 30, 'São filtros demais.'),
  body: savedBody,
  /** Frequency of its mails; null: none. */
  frequency: z.enum(['weekly', 'monthly']).nullable().default(null),
  /** Recipients: users who may read the report. */
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

/** Saved report as the browser gets it. */
export type ReportView = z.output<typeof view>

/** API contract of the caller's saved reports and their mail recipients. */
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

/** Totals of a period as the browser gets them. */
export type Totals = z.output<typeof statistics.times.returns>
/** Interval as the browser gets it. */
export type Interval = z.output<typeof interval>
/** Statistics of a person as the browser gets them. */
export type PersonRow = z.output<typeof statistics.perUsersDetail.returns>[number]

declare module '#kit/contract.ts' {
  interface Contracts {
    reports: typeof reports
    statistics: typeof statistics
    namedReports: typeof namedReports
    reportViews: typeof reportViews
  }
}
