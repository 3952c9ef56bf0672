import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Operation } from '#kit/contract.ts'
import { make } from '#test/make.ts'
import { startGoogleCalendar } from '#test/peers/google-calendar.ts'
import { GOOGLE_APP } from '#test/peers/mail-login.ts'
import { call, ownProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { type CalendarAccount, type CalendarEvent, calendar, calendarAccounts, calendarEvents } from './contract.ts'
import { workCalendars } from './server/sync.ts'

let ahead = 0
const now = () => new Date(Date.now() + ahead)
let google: Awaited<ReturnType<typeof startGoogleCalendar>>
google = await startGoogleCalendar({ email: 'loja@exemplo.test', now })
const product = ownProduct('its Google is a stand-in, and its clock goes on by minutes', {
  now,
  env: { ...google.environment, OUTBOUND_ALLOW: ['127.0.0.1'] },
})
const m = () => make(product().platform)
let tenantId: number
type Who = Awaited<ReturnType<ReturnType<typeof make>['user']>>
let admin: Who
let agent: Who
let stranger: Who
let restricted: Who

// Tokens end with the clock: each question has a new one.
const ask = async (op: Operation, input: object = {}, by = admin) =>
  await call(product(), op, await m().token(by), input as never)
const events = async (by = admin) =>
  (
    (await ask(calendarEvents.list, { query: { from: '2026-01-01', to: '2199-01-01', max: 100 } }, by)).body as {
      data: CalendarEvent[]
    }
  ).data
const account = async () =>
  (await ask(calendarAccounts.get, { params: { id: configId } })).body as unknown as CalendarAccount
const HOUR = 3_600_000
const inHours = (hours: number) => new Date(now().getTime() + hours * HOUR).toISOString()
let configId: number

/** Goes through the login as a browser, and returns. */
async function logIn() {
  const begun = await ask(calendarAccounts.login, { body: { configId } })
  const back = await google.login.visit(begun.body['url'] as string)
  const { state, code } = Object.fromEntries(back.searchParams) as { state: string; code: string }
  return { back, state, body: { state, code } }
}
const draft = (changes: object = {}) => ({
  body: { configId, title: 'Visita', start: inHours(24), end: inHours(25), ...changes },
})
/** Advances the clock, runs due calendar work, and waits until the account has synced or failed. */
async function settle() {
  ahead += 6 * 60_000
  const from = (await account()).syncedAt
  await workCalendars(product().platform)
  await until(async () => {
    const { syncedAt, status, problem } = await account()
    return syncedAt !== from || status !== 'ok' || problem !== ''
  })
}

beforeAll(async () => {
  tenantId = await m().tenant()
  admin = await m().user(tenantId, { profile: 'admin' })
  agent = await m().user(tenantId)
  restricted = await m().user(tenantId)
  await product().platform.db.asPlatform((db) =>
    db.updateTable('users').set({ restricted_user: true }).where('id', '=', restricted.id).execute(),
  )
  stranger = await m().user(await m().tenant(), { profile: 'admin' })
})
afterAll(() => google.close())

describe('an account', () => {
  it('is kept with its secrets masked, by admins alone', async () => {
    const body = { name: 'Agenda da loja', googleClientId: GOOGLE_APP.id, googleClientSecret: GOOGLE_APP.secret }
    expect((await ask(calendarAccounts.create, { body }, agent)).status).toBe(403)
    const made = await ask(calendarAccounts.create, { body })
    configId = made.body['id'] as number
    expect(made).toMatchObject({ status: 200, body: { status: 'new', calendarId: 'primary', refreshToken: '' } })
    expect(JSON.stringify(made.body)).not.toContain(GOOGLE_APP.secret)
    expect((await ask(calendarAccounts.get, { params: { id: configId } }, stranger)).status).toBe(404)
    expect((await ask(calendarEvents.create, draft())).body).toMatchObject({ error: 'ERR_CALENDAR_NOT_CONNECTED' })
  })

  it('is connected by the login at Google: its state counts once, for who began, and only with the calendar’s consent', async () => {
    const first = await logIn()
    expect(first.back.pathname).toBe('/configuracoes/google-calendar')
    const other = await m().user(tenantId, { profile: 'admin' })
    expect((await ask(calendarAccounts.finish, { body: first.body }, other)).body).toMatchObject({
      error: 'ERR_SIGNUP_STATE',
    })
    google.login.state.withheld = ['https://www.googleapis.com/auth/calendar.events']
    const partial = await logIn()
    const refused = await ask(calendarAccounts.finish, { body: partial.body })
    expect(refused.body).toMatchObject({
      error: 'ERR_CALENDAR_LOGIN',
      details: { reason: expect.stringContaining('permitido') },
    })
    google.login.state.withheld = []
    const again = await logIn()
    expect((await ask(calendarAccounts.finish, { body: again.body })).body).toMatchObject({
      status: 'ok',
      email: 'loja@exemplo.test',
    })
    expect((await ask(calendarAccounts.finish, { body: again.body })).status).toBe(422)
  })
})

describe('events', () => {
  it('are made once, whatever is repeated or lost, with guests, a video call and a reminder', async () => {
    const id = crypto.randomUUID()
    const wish = {
      ...draft({
        id,
        attendees: ['ana@fora.test', 'ANA@fora.test'],
        hasMeet: true,
        reminderMinutes: 15,
        notifies: true,
      }),
    }
    const made = await Promise.all(Array.from({ length: 20 }, () => ask(calendarEvents.create, wish, agent)))
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set([200]))
    await until(async () => (await events())[0]?.waiting === null)
    expect([...google.events.values()]).toHaveLength(1)
    const [event] = await events()
    expect(event).toMatchObject({
      id,
      title: 'Visita',
      hasMeet: true,
      reminderMinutes: 15,
      meetUrl: expect.stringContaining('meet'),
    })
    expect(event!.attendees).toEqual([{ email: 'ana@fora.test', name: '', response: '' }])
    const inserted = google.asked.filter(({ method }) => method === 'POST')
    expect(inserted.at(-1)!.query.get('sendUpdates')).toBe('all')
    // The answer is lost: Google has it, and the next try finds that out (409).
    google.state.lost = 1
    const lost = await ask(calendarEvents.create, draft({ title: 'Perdida' }))
    expect(lost.body).toMatchObject({ waiting: 'insert' })
    await settle()
    await until(async () => (await events()).every(({ waiting }) => waiting === null))
    expect([...google.events.values()].map(({ summary }) => summary)).toEqual(['Visita', 'Perdida'])
    expect((await events()).map(({ title }) => title)).toEqual(['Visita', 'Perdida'])
  })

  it('never lie in the past, and what is over stays', async () => {
    const past = await ask(calendarEvents.create, draft({ start: inHours(-2), end: inHours(1) }))
    expect(past).toMatchObject({ status: 400, body: { details: { start: 'Este horário já passou.' } } })
    expect((await ask(calendarEvents.create, draft({ end: inHours(23) }))).body).toMatchObject({
      details: { end: 'O fim vem depois do começo.' },
    })
    expect((await ask(calendarEvents.create, draft({ end: '2199-01-01' }))).status).toBe(400)
    google.write('passado', { summary: 'Ontem', start: { dateTime: inHours(-26) }, end: { dateTime: inHours(-25) } })
    await settle()
    const over = (await events()).find(({ title }) => title === 'Ontem')!
    const change = { params: { id: over.id }, body: { title: 'Hoje' } }
    expect((await ask(calendarEvents.update, change)).body).toMatchObject({ error: 'ERR_CALENDAR_PAST' })
    expect((await ask(calendarEvents.remove, { params: { id: over.id } })).body).toMatchObject({
      error: 'ERR_CALENDAR_PAST',
    })
  })

  it('come from Google as they are, whatever is missing, and go as they went there', async () => {
    google.state.page = 2
    google.write('bare', {
      summary: null,
      description: null,
      attendees: null,
      reminders: null,
      start: { dateTime: inHours(30) },
      end: null,
    })
    google.write('days', {
      summary: 'Feira',
      start: { date: '2027-03-10' },
      end: { date: '2027-03-13' },
      organizer: null,
    })
    google.write('secret', {
      summary: 'Médico',
      visibility: 'private',
      start: { dateTime: inHours(31) },
      end: { dateTime: inHours(32) },
    })
    google.write('broken', { summary: 'Sem hora', start: null })
    google.write('mad', { summary: 7, start: { dateTime: '+275760-01-01T00:00:00Z' }, end: {} })
    await settle()
    await until(async () => (await events()).length >= 6)
    const all = await events()
    expect(all.find(({ title }) => title === 'Feira')).toMatchObject({
      isAllDay: true,
      start: '2027-03-10',
      end: '2027-03-12',
    })
    expect(all.find(({ title }) => title === 'Ocupado')).toMatchObject({ isEditable: false, description: '' })
    expect(JSON.stringify(all)).not.toContain('Médico')
    google.write('days', { status: 'cancelled' })
    // An expired cursor loses nothing: the calendar is read again in full.
    google.forgetCursors()
    await settle()
    await until(async () => !(await events()).some(({ title }) => title === 'Feira'))
    google.state.page = 250
  })

  it('that changed at Google meanwhile are refused, and nothing is overwritten', async () => {
    const event = (await events()).find(({ title }) => title === 'Perdida')!
    const remote = [...google.events.values()].find(({ summary }) => summary === 'Perdida')!
    google.write(remote.id, { summary: 'Mudou lá' })
    const body = { title: 'Mudou aqui', etag: event.etag }
    const refused = await ask(calendarEvents.update, { params: { id: event.id }, body })
    expect(refused).toMatchObject({ status: 409, body: { error: 'ERR_CALENDAR_CHANGED' } })
    expect(google.events.get(remote.id)!.summary).toBe('Mudou lá')
    const fresh = (await events()).find(({ id }) => id === event.id)!
    expect(fresh.title).toBe('Mudou lá')
    const right = await ask(calendarEvents.update, { params: { id: event.id }, body: { ...body, etag: fresh.etag } })
    expect(right).toMatchObject({ status: 200, body: { title: 'Mudou aqui', waiting: null } })
    // A lost response is no change by another person.
    google.state.lost = 1
    const lost = await ask(calendarEvents.update, { params: { id: event.id }, body: { location: 'Loja' } })
    expect(lost.body).toMatchObject({ waiting: 'update' })
    await settle()
    await until(async () => (await events()).find(({ id }) => id === event.id)!.waiting === null)
    expect((await events()).find(({ id }) => id === event.id)).toMatchObject({ location: 'Loja', isConflict: false })
  })

  it('are removed there too, also where they are gone already', async () => {
    const event = (await events()).find(({ title }) => title === 'Mudou aqui')!
    expect((await ask(calendarEvents.remove, { params: { id: event.id } }, stranger)).status).toBe(404)
    expect((await ask(calendarEvents.remove, { params: { id: event.id } })).status).toBe(200)
    expect((await ask(calendarEvents.remove, { params: { id: event.id } })).status).toBe(404)
    expect([...google.events.values()].find(({ summary }) => summary === 'Mudou aqui')!.status).toBe('cancelled')
  })

  it('wait for a Google that asks for patience; an hour later a token is asked for anew', async () => {
    google.state.failures.push({ status: 403, reason: 'rateLimitExceeded', method: 'POST' })
    const made = await ask(calendarEvents.create, draft({ title: 'Paciência', start: inHours(50), end: inHours(51) }))
    expect(made.body).toMatchObject({ waiting: 'insert', problem: expect.stringContaining('esperar') })
    google.login.expire()
    await settle()
    await until(async () => (await events()).find(({ title }) => title === 'Paciência')!.waiting === null)
  })
})

describe('a consent that was taken back', () => {
  it('is said once, asked no more, and nothing is lost until somebody signs in again', async () => {
    google.login.revoke()
    const made = await ask(calendarEvents.create, draft({ title: 'Guardado', start: inHours(60), end: inHours(61) }))
    expect(made.body).toMatchObject({ waiting: 'insert' })
    await until(async () => (await account()).status === 'revoked')
    const before = google.login.asked.length
    await workCalendars(product().platform)
    await ask(calendarEvents.create, draft({ title: 'Também', start: inHours(62), end: inHours(63) }))
    ahead += 10 * 60_000
    await workCalendars(product().platform)
    expect(google.login.asked.length).toBe(before)
    expect(await account()).toMatchObject({ waiting: 2, problem: expect.stringContaining('Entre de novo') })
    const { body } = await logIn()
    await ask(calendarAccounts.finish, { body })
    await workCalendars(product().platform)
    await until(async () => (await account()).waiting === 0)
    const there = [...google.events.values()].map(({ summary }) => summary)
    expect(there).toEqual(expect.arrayContaining(['Guardado', 'Também']))
  })

  it('what crossed while it waited is a person’s to decide', async () => {
    const event = (await events()).find(({ title }) => title === 'Guardado')!
    const remote = [...google.events.values()].find(({ summary }) => summary === 'Guardado')!
    google.login.revoke()
    await ask(calendarEvents.update, { params: { id: event.id }, body: { title: 'Minha' } })
    await until(async () => (await account()).status === 'revoked')
    google.write(remote.id, { summary: 'Delas' })
    await ask(calendarAccounts.finish, { body: (await logIn()).body })
    await workCalendars(product().platform)
    await until(async () => (await events()).find(({ id }) => id === event.id)!.isConflict)
    expect((await events()).find(({ id }) => id === event.id)).toMatchObject({
      title: 'Minha',
      problem: expect.stringContaining('mudou'),
    })
    await ask(calendarEvents.reconcile, { params: { id: event.id }, body: { use: 'ours' } })
    await until(async () => google.events.get(remote.id)!.summary === 'Minha')
  })
})

describe('the calendar', () => {
  it('shows everybody what they see elsewhere, and restricted people no addresses', async () => {
    const from = now().toISOString().slice(0, 10)
    const to = new Date(now().getTime() + 10 * 24 * HOUR).toISOString().slice(0, 10)
    const view = await ask(calendar.view, { query: { from, to } }, agent)
    expect(view.status).toBe(200)
    expect((view.body['events'] as CalendarEvent[]).map(({ title }) => title)).toContain('Visita')
    const masked = await ask(calendar.view, { query: { from, to } }, restricted)
    expect(JSON.stringify(masked.body)).not.toContain('ana@fora.test')
    const theirs = await ask(calendar.view, { query: { from, to } }, stranger)
    expect(theirs.body['events']).toEqual([])
    expect((await ask(calendar.view, { query: { from, to: '2199-01-01' } }, agent)).status).toBe(400)
  })
})
