import { beforeEach, describe, expect, it, test } from 'vitest'
import { type BusinessDay, USUAL_WEEK } from '#domain/calendar/business-hours.ts'
import { connections } from '#features/connections/contract.ts'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { settings } from '#features/settings/contract.ts'
import type { SettingKey } from '#kit/settings.ts'
import { make } from '#test/make.ts'
import { type TestChannel, testChannel, textEvent } from '#test/peers/channel.ts'
import { call, ownProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { hours } from './contract.ts'

// A Friday at the counter in São Paulo: 08:30, and 03:00 before it.
const MORNING = new Date('2026-11-20T11:30:00Z')
const NIGHT = new Date('2026-11-20T06:00:00Z')

let now = MORNING
let crashes = 0
const product = ownProduct('its clock is set to a day', {
  now: () => now,
  checkpoint: (name) => {
    if (name !== 'before ingest commit' || crashes === 0) return
    crashes--
    throw new Error('the process ends here')
  },
})
const NEVER: BusinessDay[] = USUAL_WEEK.map((row) => ({ ...row, type: 'C' }))
const ALWAYS: BusinessDay[] = USUAL_WEEK.map((row) => ({ ...row, type: 'O' }))
let channel: TestChannel | undefined

beforeEach(() => {
  channel ??= testChannel(product().platform)
  now = MORNING
})

async function company() {
  const { platform } = product()
  const m = make(platform)
  const tenantId = await m.tenant('Padaria Sol')
  const connectionId = await m.connection(tenantId, { type: 'test' })
  const admin = await m.token(await m.user(tenantId, { profile: 'admin' }))
  const agent = await m.token(await m.user(tenantId))
  const put = async (op: (typeof hours)['setWeek' | 'setMessage' | 'setHolidays'], body: unknown, token = admin) =>
    call(product(), op, token, { body: body as never })
  const read = async (token = admin) => (await call(product(), hours.get, token)).body[0] as Record<string, unknown>
  const set = (key: SettingKey, value: string) =>
    call(product(), settings.set, admin, { params: { key }, body: { value } })
  const hear = async (...events: Parameters<typeof receive>[2]) => {
    await receive(platform, { tenantId, connectionId }, events)
    await ingestIdle(platform)
  }
  const said = (from: string) => channel!.sent.filter((message) => message.conversationKey === from)
  const stored = (from: string) =>
    platform.db.read(tenantId, (db) =>
      db
        .selectFrom('messages')
        .select(['body', 'send_type', 'from_me', 'status'])
        .where('conversation_key', '=', from)
        .orderBy('timestamp')
        .execute(),
    )
  const absent = (message = 'Voltamos às 8h.') => put(hours.setMessage, { messageBusinessHours: message })
  return { m, platform, tenantId, connectionId, admin, agent, put, read, set, hear, said, stored, absent }
}
let numbers = 5531_900_000_000
const someone = () => String(++numbers)

describe('the hours of the company', () => {
  it('are open all week until they are set, and are told with when somebody is there', async () => {
    const { read, put, agent } = await company()
    expect(await read()).toMatchObject({ businessHours: ALWAYS, messageBusinessHours: '', holidays: [], isOpen: true })
    expect((await put(hours.setWeek, USUAL_WEEK)).body).toEqual({ businessHours: USUAL_WEEK })
    expect(await read(agent)).toMatchObject({ businessHours: USUAL_WEEK, isOpen: true, opensAt: null })
    now = NIGHT
    expect(await read()).toMatchObject({ isOpen: false, opensAt: '2026-11-20T11:00:00.000Z' })
    await put(hours.setHolidays, [{ date: '2026-11-20', description: 'Consciência Negra', active: true }])
    expect(await read()).toMatchObject({ isOpen: false, opensAt: '2026-11-23T11:00:00.000Z' })
    await put(hours.setWeek, NEVER)
    expect(await read()).toMatchObject({ isOpen: false, opensAt: null })
  })

  it('are refused day by day when they are wrong, and the week before stays', async () => {
    const { read, put } = await company()
    await put(hours.setWeek, USUAL_WEEK)
    const wrong = USUAL_WEEK.map((row) =>
      row.day === 1 ? { ...row, hr1: '' } : row.day === 4 ? { ...row, hr4: '13:00', hr1: '12:30' } : row,
    )
    const reply = await put(hours.setWeek, wrong)
    expect([reply.status, reply.body]).toMatchObject([
      400,
      {
        details: {
          1: 'Segunda: preencha os quatro horários (HH:MM).',
          4: 'Quinta: o primeiro período precisa terminar depois de começar; o segundo período precisa terminar depois de começar.',
        },
      },
    ])
    expect((await put(hours.setWeek, USUAL_WEEK.slice(1))).body).toMatchObject({
      details: { 0: 'Domingo: falta o dia.' },
    })
    expect((await put(hours.setWeek, [...USUAL_WEEK, USUAL_WEEK[2]])).status).toBe(400)
    expect((await put(hours.setWeek, [{ ...USUAL_WEEK[0], surpresa: 1 }])).status).toBe(400)
    expect(await read()).toMatchObject({ businessHours: USUAL_WEEK })
  })

  const natal = { date: '2026-12-25', description: 'Natal', active: true }
  test.each([
    [[{ ...natal, date: '2026-02-30' }], '0.date'],
    [[{ ...natal, description: ' ' }], '0.description'],
    [[natal, natal], '1.date'],
    [[{ ...natal, active: 'sim' }], '0.active'],
    [[{ ...natal, surpresa: 1 }], '0.surpresa'],
    [{ holidays: [natal] }, 'pedido'],
  ])('holidays %j are refused at %s', async (list, field) => {
    const { put, read } = await company()
    const reply = await put(hours.setHolidays, list)
    expect([reply.status, Object.keys((reply.body as { details: object }).details)]).toEqual([400, [field]])
    expect(await read()).toMatchObject({ holidays: [] })
  })

  it('are kept by admins only, holidays in order of the calendar', async () => {
    const { put, agent, read } = await company()
    for (const op of [hours.setWeek, hours.setMessage, hours.setHolidays])
      expect((await put(op, op === hours.setMessage ? { messageBusinessHours: 'x' } : [], agent)).status).toBe(403)
    await put(hours.setHolidays, [natal, { ...natal, date: '2026-01-01', description: 'Ano novo' }])
    expect(await read()).toMatchObject({ holidays: [{ date: '2026-01-01' }, { date: '2026-12-25' }] })
  })
})

describe('the absence message', () => {
  it('answers who writes at night, once, with variables filled in, and the customer goes on waiting', async () => {
    const { hear, put, said, stored, absent, platform, tenantId } = await company()
    await put(hours.setWeek, USUAL_WEEK)
    await absent('{{greeting}}, {{firstName}}! Protocolo {{protocol}}.')
    now = NIGHT
    const from = someone()
    await hear(textEvent({ from, body: 'Oi', name: 'Marlene Dias', at: NIGHT.getTime() }))
    await hear(textEvent({ from, body: 'Alô?', at: NIGHT.getTime() + 9000 }))
    await until(() => said(from).length === 1)
    const ticket = await platform.db.read(tenantId, (db) =>
      db.selectFrom('tickets').selectAll().executeTakeFirstOrThrow(),
    )
    const body = `Boa noite, Marlene! Protocolo 20261120${ticket.id}.`
    expect(said(from)[0]).toMatchObject({ body, userName: null })
    expect((await stored(from)).map((row) => [row.body, row.send_type])).toEqual([
      ['Oi', 'chat'],
      [body, 'absence'],
      ['Alô?', 'chat'],
    ])
    expect(ticket).toMatchObject({
      status: 'pending',
      unread_messages: 2,
      answered: false,
      sent_counts: { absence: 1 },
    })
    expect(ticket.waiting_since).toEqual(NIGHT)
  })

  it('is silent in the hours, without words, on an open week, for groups and for what comes late', async () => {
    const { hear, put, stored, absent } = await company()
    const say = async (more: object = {}) => {
      const from = someone()
      await hear({ ...textEvent({ from, body: 'Oi', at: now.getTime() }), ...more })
      return (await stored(from)).filter((row) => row.from_me).length
    }
    await put(hours.setWeek, USUAL_WEEK)
    now = NIGHT
    expect(await say()).toBe(0)
    await absent()
    expect(await say({ isGroup: true })).toBe(0)
    now = MORNING
    expect(await say()).toBe(0)
    now = NIGHT
    expect(await say()).toBe(1)
    await put(hours.setWeek, ALWAYS)
    expect(await say()).toBe(0)
    await put(hours.setHolidays, [{ date: '2026-11-20', description: 'Consciência Negra', active: true }])
    expect(await say()).toBe(1)

    await put(hours.setWeek, NEVER)
    await absent('')
    const from = someone()
    await hear(textEvent({ from, body: 'nova', at: now.getTime() }))
    await absent()
    await hear(textEvent({ from, body: 'velha', at: now.getTime() - 60_000 }))
    expect((await stored(from)).filter((row) => row.from_me)).toEqual([])
  })

  it('is said at most so often per ticket, and again in the next ticket', async () => {
    const { hear, put, set, stored, absent, platform, tenantId } = await company()
    await put(hours.setWeek, NEVER)
    await absent()
    await set('maxRetries', '2')
    const from = someone()
    const words = async () => (await stored(from)).filter((row) => row.send_type === 'absence').length
    for (let n = 0; n < 4; n++) await hear(textEvent({ from, body: `palavra ${n}`, at: now.getTime() + n }))
    expect(await words()).toBe(2)
    await platform.db.write(tenantId, (db) => db.updateTable('tickets').set({ status: 'closed' }).execute())
    await hear(textEvent({ from, body: 'de novo', at: now.getTime() + 60_000 }))
    expect(await words()).toBe(3)
  })

  it('follows the queue, and the person who attends where the company says so', async () => {
    const { m, hear, put, set, stored, absent, platform, tenantId, connectionId } = await company()
    await put(hours.setWeek, ALWAYS)
    await absent('Da empresa')
    const queueId = await m.queue(tenantId, {
      business_hours: JSON.stringify(NEVER),
      message_business_hours: 'Da fila',
    })
    const { id: userId } = await m.user(tenantId, { profile: 'user' })
    await platform.db.write(tenantId, (db) =>
      db
        .updateTable('users')
        .set({ business_hours: JSON.stringify(ALWAYS) })
        .where('id', '=', userId)
        .execute(),
    )
    platform.bus.stale(`settings ${tenantId}`)
    const words = async (row: object) => {
      const from = someone()
      const contact_id = await m.contact(tenantId, { number: from })
      await m.ticket(tenantId, { connection_id: connectionId, contact_id, conversation_key: from, ...row })
      await hear(textEvent({ from, body: 'Oi' }))
      return (await stored(from)).filter((row) => row.from_me).map((row) => row.body)
    }
    expect(await words({})).toEqual([])
    expect(await words({ queue_id: queueId })).toEqual(['Da fila'])
    expect(await words({ queue_id: queueId, user_id: userId })).toEqual(['Da fila'])
    await set('useUserBusinessHours', 'enabled')
    expect(await words({ queue_id: queueId, user_id: userId })).toEqual([])
    expect(await words({ queue_id: queueId })).toEqual(['Da fila'])
  })

  it('is not said on a connection that ignores the hours, while it does', async () => {
    const { m, hear, put, stored, absent, admin, connectionId, tenantId } = await company()
    await put(hours.setWeek, NEVER)
    await absent('Da empresa')
    const queue_id = await m.queue(tenantId, {
      business_hours: JSON.stringify(NEVER),
      message_business_hours: 'Da fila',
    })
    const answers = async (row?: object) => {
      const from = someone()
      if (row) {
        const contact_id = await m.contact(tenantId, { number: from })
        await m.ticket(tenantId, { connection_id: connectionId, contact_id, conversation_key: from, ...row })
      }
      await hear(textEvent({ from, body: 'Oi', at: now.getTime() }))
      return (await stored(from)).filter((row) => row.from_me).map((row) => row.body)
    }
    const ignore = (ignoreBussinesHours: 'enabled' | 'disabled') =>
      call(product(), connections.update, admin, { params: { id: connectionId }, body: { ignoreBussinesHours } })
    expect([await answers(), await answers({ queue_id })]).toEqual([['Da empresa'], ['Da fila']])
    await ignore('enabled')
    expect([await answers(), await answers({ queue_id })]).toEqual([[], []])
    await ignore('disabled')
    expect(await answers()).toEqual(['Da empresa'])
  })

  it('is said exactly once when the same message comes twice and the process ends in the middle', async () => {
    const { hear, put, absent, stored, said, platform } = await company()
    await put(hours.setWeek, NEVER)
    await absent()
    const from = someone()
    const event = textEvent({ from, body: 'Oi', id: `twice-${from}`, at: now.getTime() })
    crashes = 2
    await hear(event)
    await hear({ ...event, dedupeKey: 'another key' }, event)
    await ingestIdle(platform)
    await until(() => said(from).length === 1)
    expect((await stored(from)).map((row) => row.body)).toEqual(['Oi', 'Voltamos às 8h.'])
    expect(crashes).toBe(0)
  })
})
