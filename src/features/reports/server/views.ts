import { mailedPeriod, nextMailing } from '#domain/reports/mailing.ts'
import { SUMMARY_NAMES } from '#domain/reports/summaries.ts'
import { canMail, companyAddress, publicLink, sendMail } from '#features/mail/server/index.ts'
import type { Input, Returned } from '#kit/contract.ts'
import { AppError, fail } from '#kit/errors.ts'
import type { Permission } from '#kit/permissions.ts'
import { type Actor, may, readActors } from '#server/actors.ts'
import { actorWithin, type Ctx, type ReadCtx, unit } from '#server/context.ts'
import { implement } from '#server/http/route.ts'
import type { Platform } from '#server/platform.ts'
import { reportViews, savedBody } from '../contract.ts'
import { listReported } from './contacts.ts'
import { summaryTable } from './export.ts'
import {
  delayView,
  deleteView,
  dueViews,
  insertView,
  listPeople,
  listViews,
  lockView,
  sentView,
  updateView,
  type ViewRecord,
  type ViewValues,
} from './queries-views.ts'
import { listRows, periodFrom } from './rows.ts'
import { peopleOf } from './statistics.ts'

const MOST_VIEWS = 100
/** Maximum number of rows in a mail; its link shows all. */
const MOST_SENTENCES = 30
const MOST_DUE = 100
const HOUR_MS = 3_600_000

type UserCtx = Ctx & { readonly user: Actor }
type Body = Input<typeof reportViews.create>['body']['body']

const shown = ({ userId: _, body: __, ...view }: ViewRecord): Returned<typeof reportViews.create> => view

/** Returns the permissions that a recipient of the report needs. */
function neededFor(body: Body): Permission[] {
  const kind = body.report === 'summary' ? body.filter.report : null
  return [
    'reports:read',
    ...(kind === 'campaigns' ? (['campaigns:write'] as const) : []),
    ...(kind === 'funnel' ? (['funnel:read'] as const) : []),
  ]
}
const mayRead = (ctx: Pick<ReadCtx, 'settings'>, person: Actor, body: Body): boolean =>
  neededFor(body).every((permission) => may(person, ctx.settings, permission))

async function requireReaders(ctx: UserCtx, ids: readonly number[], body: Body): Promise<number[]> {
  const wanted = [...new Set(ids)]
  const people = wanted.length > 0 ? await readActors(ctx.db, ctx.tenantId, wanted) : []
  const allowed = people.filter((one) => mayRead(ctx, one, body)).map(({ id }) => id)
  if (allowed.length < wanted.length)
    fail('ERR_VALIDATION', { recipients: 'Escolha só pessoas da empresa que podem ver este relatório.' })
  return wanted
}

async function valuesOf(ctx: UserCtx, given: Omit<ViewValues, 'nextAt'>): Promise<ViewValues> {
  const { frequency } = given
  const body = given.body as Body
  const recipients = await requireReaders(ctx, given.recipients, body)
  if (frequency === null) return { ...given, recipients, nextAt: null }
  if (recipients.length === 0) fail('ERR_VALIDATION', { recipients: 'Escolha quem recebe.' })
  if (!canMail(ctx.installation) && (await companyAddress(ctx.db)) === null) fail('ERR_MAIL_NOT_CONFIGURED')
  const nextAt = new Date(nextMailing(frequency, ctx.settings.timezone, ctx.now.getTime()))
  return { ...given, recipients, nextAt }
}

async function lockOwn(ctx: UserCtx, id: number): Promise<ViewRecord> {
  const view = await lockView(ctx.db, id)
  return view?.userId === ctx.user.id ? view : fail('ERR_NO_REPORT_VIEW_FOUND')
}

const audited = ({ name, path, frequency, recipients }: ViewValues) => ({ name, path, frequency, recipients })

/** Route handlers of saved reports. */
export const viewRoutes = implement(reportViews, {
  list: async ({ db, user }) => ({ views: (await listViews(db, user.id)).map(shown) }),
  readers: async ({ db, tenantId, settings }) => {
    const people = await listPeople(db)
    const actors = await readActors(
      db,
      tenantId,
      people.map(({ id }) => id),
    )
    const readers = actors.filter((one) => may(one, settings, 'reports:read'))
    return { people: readers.map(({ id, name }) => ({ id, name })) }
  },
  create: async (ctx, { body }) => {
    if ((await listViews(ctx.db, ctx.user.id)).length >= MOST_VIEWS) fail('ERR_MAX_REPORT_VIEWS')
    const values = await valuesOf(ctx, body)
    const view = await insertView(ctx.db, ctx.user.id, values, ctx.now)
    ctx.audit({ target: { id: view.id }, after: audited(values) })
    return shown(view)
  },
  update: async (ctx, { params: { id }, body }) => {
    const before = await lockOwn(ctx, id)
    const { userId: _, id: __, sentAt: ___, nextAt: ____, ...old } = before
    const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
    const values = await valuesOf(ctx, { ...old, ...given } as Omit<ViewValues, 'nextAt'>)
    ctx.audit({ target: { id }, before: audited(before), after: audited(values) })
    return shown(await updateView(ctx.db, id, values, ctx.now))
  },
  remove: async (ctx, { params: { id } }) => {
    const before = await lockOwn(ctx, id)
    await deleteView(ctx.db, id)
    ctx.audit({ target: { id }, before: audited(before) })
    return { message: 'ok' }
  },
})

/** Mails due reports, each once, whichever process runs this. */
export async function mailDue(platform: Platform): Promise<void> {
  const now = platform.now()
  for (const { tenantId, id } of await platform.db.askAsPlatform((db) => dueViews(db, now, MOST_DUE)))
    await unit(platform, { tenantId, user: null }, (ctx) => mailOne(ctx, id)).catch(async (err: unknown) => {
      platform.log.warn({ err, tenantId, viewId: id }, 'a report was not sent by mail')
      await platform.db.write(tenantId, (db) => delayView(db, id, new Date(now.getTime() + HOUR_MS)))
    })
}

async function mailOne(ctx: Ctx, id: number): Promise<void> {
  const view = await lockView(ctx.db, id)
  if (!view?.frequency || !view.nextAt || view.nextAt > ctx.now) return
  const { frequency, nextAt: dueAt } = view
  const zone = ctx.settings.timezone
  const nextAt = new Date(nextMailing(frequency, zone, ctx.now.getTime()))
  await sentView(ctx.db, id, { sentAt: ctx.now, nextAt })
  const { data: body } = savedBody.safeParse(view.body)
  const owner = await actorWithin(ctx, view.userId)
  // Reports that are no longer readable, or whose owner has left, are not sent.
  if (!body || !owner || !mayRead(ctx, owner, body)) return
  const { from, to } = mailedPeriod(frequency, zone, dueAt.getTime())
  const dated = { ...body, filter: { ...body.filter, startDate: from, endDate: to } } as Body
  const search = new URLSearchParams({ ...view.search, de: from, ate: to })
  const url = publicLink(ctx.platform, `/relatorios/${view.path}?${search}`)
  const addresses = new Map((await listPeople(ctx.db)).map((one) => [one.id, one.email]))
  const people = view.recipients.length > 0 ? await readActors(ctx.db, ctx.tenantId, view.recipients) : []
  for (const person of people.filter((one) => mayRead(ctx, one, body))) {
    const to = addresses.get(person.id)
    if (!to?.includes('@')) continue
    const sentences = await sentencesOf({ ...ctx, user: person }, dated)
    const days = `${dayText(from)} a ${dayText(dated.filter.endDate!)}`
    const template = {
      title: view.name,
      lines: [`Período: ${days}.`, ...sentences],
      action: { label: 'Abrir o relatório', url },
      note: `${owner.name} programou este e-mail em ${ctx.settings.tenantName}.`,
    }
    try {
      await sendMail(ctx, { to, subject: `${view.name}: ${days}`, template })
    } catch (error) {
      // Mail is not configured any more: retried at the next due time.
      if (error instanceof AppError && error.code === 'ERR_MAIL_NOT_CONFIGURED') return
      throw error
    }
  }
}

const dayText = (day: string): string => day.split('-').toReversed().join('/')

/** Returns the lines of a report's mail, as its reader may see it. */
async function sentencesOf(ctx: ReadCtx & { user: Actor }, body: Body): Promise<string[]> {
  if (body.report === 'summary') {
    const [titles = [], ...rows] = await summaryTable(ctx, body.filter)
    const sentences = rows.map(([name = '', ...cells]) =>
      [`${name}: `, cells.map((cell, index) => `${titles[index + 1]} ${cell}`).join(' · ')].join(''),
    )
    return [`${SUMMARY_NAMES[body.filter.report]}.`, ...shortened(sentences)]
  }
  if (body.report === 'tickets') {
    const { count } = await listRows(ctx, body.filter as never)
    return [`${count.toLocaleString('pt-BR')} atendimentos.`]
  }
  if (body.report === 'contacts') {
    const { count, countIsCapped } = await listReported(ctx, body.filter as never)
    return [`${count.toLocaleString('pt-BR')}${countIsCapped ? ' ou mais' : ''} contatos.`]
  }
  const people = await peopleOf(ctx, periodFrom(body.filter as never))
  return shortened(
    people.map(
      ({ name, qtd_por_usuario: all, qtd_resolvidos: closed }) =>
        `${name ?? 'Sem responsável'}: ${all} atendimentos, ${closed} resolvidos`,
    ),
  )
}

// Keeps the total, which is the last line.
const shortened = (sentences: readonly string[]): string[] =>
  sentences.length <= MOST_SENTENCES
    ? [...sentences]
    : [...sentences.slice(0, MOST_SENTENCES), `… e mais ${sentences.length - MOST_SENTENCES - 1}.`, sentences.at(-1)!]
