import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { messages } from '#features/messages/contract.ts'
import { schedules } from '#features/schedules/contract.ts'
import { releaseDue } from '#features/schedules/server/release.ts'
import { tickets } from '#features/tickets/contract.ts'
import type { Operation } from '#kit/contract.ts'
import { make, type Person } from '#test/make.ts'
import { testChannel } from '#test/peers/channel.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { ticketNotes, ticketProtocols } from './contract.ts'

const product = withProduct()
const m = () => make(product().platform)
let tenantId: number
let connectionId: number
let otherId: number
let admin: Person
let ana: Person
let bia: Person
let channel: ReturnType<typeof testChannel>
/** One of Ana's queue, one of Bia's. */
let ours: number
let theirs: number

// biome-ignore lint/suspicious/noExplicitAny: answers of many operations
const ask = (op: Operation, input: object = {}, who = ana): Promise<{ status: number; body: any }> =>
  call(product(), op as never, who.token, input)
const write = async (ticketId: number, body: string, more: object = {}, who = ana): Promise<string> => {
  const given = { idFront: randomUUID(), body, isNote: false, ...more }
  return (await ask(messages.send, { params: { ticketId }, body: given }, who)).body.messages[0].id
}
const notes = async (query: object = {}, who = ana) =>
  (await ask(ticketNotes.list, { query }, who)).body.ticketNotes as { id: string; notes: string; mayChange: boolean }[]
const textsOf = async (query: object = {}, who = ana) => (await notes(query, who)).map((one) => one.notes)

beforeAll(async () => {
  channel = testChannel(product().platform)
  tenantId = await m().tenant()
  const queueId = await m().queue(tenantId)
  otherId = await m().queue(tenantId)
  connectionId = await m().connection(tenantId, { type: 'test' })
  admin = await m().person(tenantId, { profile: 'admin', name: 'Adele' })
  ana = await m().person(tenantId, { name: 'Ana', queues: [queueId] })
  bia = await m().person(tenantId, { name: 'Bia', queues: [otherId] })
  const open = async (who: Person, queue_id: number, name: string) => {
    const contact_id = await m().contact(tenantId, { name })
    const of = { connection_id: connectionId, conversation_key: name, channel: 'test', contact_id }
    return m().ticket(tenantId, { status: 'open', user_id: who.id, queue_id, ...of })
  }
  ours = await open(ana, queueId, 'Marlene')
  theirs = await open(bia, otherId, 'Zenaide')
})

describe('notes', () => {
  it('are those of the tickets that one sees, the newest first, found by text, contact, ticket and person', async () => {
    const first = await write(ours, 'Prefere à tarde', { isNote: true })
    await write(ours, 'Já é cliente', { isNote: true })
    await write(ours, 'Isto vai para o cliente')
    await write(theirs, 'Segredo da outra fila', { isNote: true }, bia)
    expect(await textsOf()).toEqual(['Já é cliente', 'Prefere à tarde'])
    expect(await textsOf({}, admin)).toHaveLength(3)
    expect(await textsOf({ searchParam: 'a TARDE' })).toEqual(['Prefere à tarde'])
    expect(await textsOf({ searchParam: 'zenaide' }, admin)).toEqual(['Segredo da outra fila'])
    expect(await textsOf({ searchParam: 'segredo' })).toEqual([])
    const numbered = await textsOf({ searchParam: String(ours) }, admin)
    expect(numbered).toEqual(expect.arrayContaining(['Já é cliente', 'Prefere à tarde']))
    expect(await textsOf({ user: bia.id }, admin)).toEqual(['Segredo da outra fila'])
    expect(await textsOf({ from: '2001-01-01', to: '2001-01-02' }, admin)).toEqual([])
    expect((await ask(ticketNotes.list, { query: { ticketId: theirs } })).body.count).toBe(0)
    const { contactId } = (await ask(tickets.get, { params: { id: ours } })).body
    expect(await textsOf({ contactId }, admin)).toEqual(['Já é cliente', 'Prefere à tarde'])
    // Days are the company's: this is said at half past eleven at night, on the first.
    const atNight = { body: 'Tarde da noite', timestamp: new Date('2026-03-02T02:30:00Z') }
    const night = await m().message(tenantId, ours, { is_note: true, media_type: 'note', ...atNight })
    expect(await textsOf({ from: '2026-03-01', to: '2026-03-01' })).toEqual(['Tarde da noite'])
    expect(await textsOf({ from: '2026-03-02', to: '2026-03-02' })).toEqual([])
    await product().platform.db.write(tenantId, (db) => db.deleteFrom('messages').where('id', '=', night).execute())
    const page = await ask(ticketNotes.list, { query: {} }, admin)
    expect(page.body).toMatchObject({ count: 3, countIsCapped: false, hasMore: false })
    expect(await ask(messages.remove, { body: { id: first } })).toMatchObject({ status: 200 })
    expect(await textsOf()).toEqual(['Já é cliente'])
  })

  it('are changed by their author and by leads', async () => {
    const id = await write(theirs, 'Ligar amanhã', { isNote: true }, bia)
    const change = (body: object, who: Person) => ask(messages.change, { params: { id }, body }, who)
    expect((await change({ body: 'x' }, ana)).status).toBe(404)
    const eva = await m().person(tenantId, { name: 'Eva', queues: [otherId] })
    expect((await change({ body: 'x' }, eva)).status).toBe(403)
    expect((await notes({ searchParam: 'amanhã' }, eva))[0]).toMatchObject({ mayChange: false })
    const [row] = await notes({ searchParam: 'amanhã' }, admin)
    expect(row).toMatchObject({ id, mayChange: true })
    expect((await change({ body: 'Ligar hoje' }, admin)).status).toBe(200)
    expect((await change({ body: 'Ligar já' }, bia)).status).toBe(200)
    expect((await change({ repeat: 'FREQ=DAILY' }, bia)).status).toBe(400)
    expect((await notes({ searchParam: 'já' }, bia))[0]).toMatchObject({ id, notes: 'Ligar já', isEdited: true })
  })

  it('show restricted users no more than they see elsewhere', async () => {
    const lia = await m().person(tenantId, { profile: 'super', name: 'Lia' })
    await product().platform.db.write(tenantId, (db) =>
      db.updateTable('users').set({ restricted_user: true }).where('id', '=', lia.id).execute(),
    )
    const reply = await ask(ticketNotes.list, { query: { searchParam: 'zenaide' } }, lia)
    expect(reply.body.ticketNotes).toEqual([])
    const all = (await ask(ticketNotes.list, { query: {} }, lia)).body.ticketNotes as { contactName: string }[]
    expect(all.length).toBeGreaterThan(0)
    expect(all.map((one) => one.contactName)).not.toContain('Zenaide')
  })
})

describe('protocols', () => {
  it('go to the customer once, with date and ticket number, and are listed', async () => {
    const idFront = randomUUID()
    const send = (who = ana) => ask(ticketProtocols.send, { body: { ticketId: ours, idFront } }, who)
    const [first, again] = [await send(), await send()]
    expect(again.body.messages[0].id).toBe(first.body.messages[0].id)
    expect(first.body.messages[0]).toMatchObject({
      ...{
        sendType: 'protocol',
        body: expect.stringMatching(new RegExp(`^Protocolo de atendimento: 20\\d{6}${ours}$`)),
      },
    })
    await until(() => channel.sent.some(({ body }) => body.startsWith('Protocolo')))
    expect((await send(bia)).status).toBe(404)
    const listed = async (query: object, who = ana) =>
      (await ask(ticketProtocols.list, { query }, who)).body.ticketProtocols as { protocol: string; ticketId: number }[]
    const [row, ...more] = await listed({})
    expect([row!.ticketId, more]).toEqual([ours, []])
    for (const searchParam of [row!.protocol, String(ours), 'marl'])
      expect(await listed({ searchParam })).toHaveLength(1)
    for (const searchParam of ['99999999999999999999999', 'zen', '2026'])
      expect(await listed({ searchParam })).toHaveLength(0)
    expect(await listed({}, bia)).toEqual([])
    // A revoked message no longer documents the protocol.
    expect((await ask(messages.remove, { body: { id: first.body.messages[0].id } })).status).toBe(200)
    await until(async () => (await listed({})).length === 0)
  })

  it('are refused where nothing may be sent', async () => {
    const closed = await m().ticket(tenantId, { status: 'closed', connection_id: connectionId, user_id: ana.id })
    const reply = await ask(ticketProtocols.send, { body: { ticketId: closed } }, admin)
    expect([reply.status, reply.body.error]).toEqual([422, 'ERR_MESSAGE_TICKET_CLOSED'])
  })
})

describe('schedules', () => {
  const inHours = (hours: number) => new Date(product().platform.now().getTime() + hours * 3_600_000).toISOString()
  const listed = async (query: object = {}, who = ana) =>
    ((await ask(schedules.list, { query }, who)).body.messages as { id: string }[]).map(({ id }) => id)

  it('wait, the next first, or are over, the newest first; narrowed as one likes, and nobody’s beyond sight', async () => {
    const late = await write(ours, 'Amanhã de novo', { scheduleDate: inHours(30) })
    const soon = await write(ours, 'Lembrete da prova', { scheduleDate: inHours(2), repeat: 'FREQ=DAILY' })
    const other = await write(theirs, 'De outra fila', { scheduleDate: inHours(1) }, bia)
    expect(await listed()).toEqual([soon, late])
    expect(await listed({}, admin)).toEqual([other, soon, late])
    expect(await listed({ searchParam: 'PROVA' })).toEqual([soon])
    expect(await listed({ searchParam: 'zenaide' }, admin)).toEqual([other])
    expect(await listed({ user: bia.id }, admin)).toEqual([other])
    expect(await listed({ whatsappId: connectionId + 1 }, admin)).toEqual([])
    expect(await listed({ to: '2001-01-01' }, admin)).toEqual([])
    expect(await listed({ past: true })).toEqual([])
    const change = (id: string, body: object) => ask(messages.change, { params: { id }, body })
    await change(late, { repeat: 'FREQ=WEEKLY', cancelOnReply: true })
    const rows = (await ask(schedules.list, { query: {} })).body.messages
    expect(rows[1]).toMatchObject({ id: late, repeat: 'FREQ=WEEKLY', cancelOnReply: true, whatsappId: connectionId })
    expect((await change(late, { repeat: 'todo dia' })).status).toBe(400)
    await change(soon, { repeat: null })
    await change(soon, { scheduleDate: null })
    await ask(messages.cancel, { params: { id: late } })
    expect(await listed()).toEqual([])
    expect(await listed({ past: true })).toEqual([late, soon])
    expect(await listed({ past: true }, bia)).toEqual([])
  })

  describe('with variables', () => {
    const sentFrom = (id: string) => channel.sent.find(({ messageId }) => messageId === id)
    const db = () => product().platform.db
    const later = (body: string, more: object = {}, who = ana) =>
      write(ours, body, { scheduleDate: inHours(2), ...more }, who)
    /** Makes a scheduled message due and releases it. */
    const comes = async (id: string) => {
      const due = new Date(product().platform.now().getTime() - 1000)
      await db().write(tenantId, (tx) =>
        tx.updateTable('messages').set({ send_at: due, schedule_date: due }).where('id', '=', id).execute(),
      )
      await releaseDue(product().platform, tenantId)
    }
    const called = (name: string) =>
      db().write(tenantId, (tx) =>
        tx
          .updateTable('contacts')
          .set({ name, first_name: '' })
          .where('id', 'in', tx.selectFrom('tickets').select('contact_id').where('id', '=', ours))
          .execute(),
      )

    beforeAll(() =>
      db().write(tenantId, (tx) =>
        tx
          .insertInto('template_constants')
          .values({
            tenant_id: tenantId,
            name: 'site',
            value: 'www.exemplo.com.br',
            created_at: product().platform.now(),
            updated_at: product().platform.now(),
          })
          .execute(),
      ),
    )

    it('are filled in once, as they are when it leaves, in the words of whoever wrote it; what repeats keeps them', async () => {
      const text = '{{firstName}}: sou {{user}}, {{site}}, {{nada}} {{x|talvez}}'
      const id = await later(text, { repeat: 'FREQ=DAILY' })
      // Another agent has the conversation by then, and the customer has another name, with braces.
      await called('Marlene{{userEmail}} Dias')
      await comes(id)
      await until(() => sentFrom(id) !== undefined)
      expect(sentFrom(id)!.body).toBe('Marlene{{userEmail}}: sou Ana, www.exemplo.com.br, {{nada}} talvez')
      await called('Marlene')
      const [next, ...more] = (await ask(schedules.list, { query: {} })).body.messages
      expect([next.body, more]).toEqual([text, []])
      // Sent before its time, the times behind it stay.
      expect((await ask(messages.change, { params: { id: next.id }, body: { scheduleDate: null } })).status).toBe(200)
      await until(() => sentFrom(next.id) !== undefined)
      expect(sentFrom(next.id)!.body).toBe('Marlene: sou Ana, www.exemplo.com.br, {{nada}} talvez')
      const [after] = (await ask(schedules.list, { query: {} })).body.messages
      expect(after.body).toBe(text)
      expect(Date.parse(after.scheduleDate) - Date.parse(next.scheduleDate)).toBe(24 * 3_600_000)
      await ask(messages.cancel, { params: { id: after.id } })
    })

    it('say nothing of the customer that is masked for whoever wrote it', async () => {
      const queues = await db().read(tenantId, (tx) =>
        tx.selectFrom('tickets').select('queue_id').where('id', '=', ours).execute(),
      )
      const lia = await m().person(tenantId, { name: 'Lia', queues: queues.map(({ queue_id }) => queue_id!) })
      await db().write(tenantId, (tx) =>
        tx.updateTable('tickets').set({ user_id: lia.id }).where('id', '=', ours).execute(),
      )
      const id = await later('Olá {{name}}, sou {{user}}', {}, lia)
      await db().write(tenantId, (tx) =>
        tx.updateTable('users').set({ restricted_user: true }).where('id', '=', lia.id).execute(),
      )
      await comes(id)
      await until(() => sentFrom(id) !== undefined)
      expect(sentFrom(id)!.body).toBe('Olá, sou Lia')
      await db().write(tenantId, (tx) =>
        tx.updateTable('tickets').set({ user_id: ana.id }).where('id', '=', ours).execute(),
      )
    })

    it('that make it longer than the channel carries keep it from leaving, with the reason, and nothing else', async () => {
      const long = await later('{{site}}'.repeat(400))
      const other = await later('Vai')
      await comes(long)
      await comes(other)
      await until(() => sentFrom(other) !== undefined)
      const past = (await ask(schedules.list, { query: { past: true } })).body.messages
      const failed = { id: long, status: 'failed', errorCode: 'ERR_MESSAGE_TOO_LONG' }
      expect(past).toContainEqual(expect.objectContaining(failed))
      expect((await ask(messages.retry, { params: { id: long } })).body.error).toBe('ERR_MESSAGE_TOO_LONG')
      const now = await later('{{site}}'.repeat(400))
      const reply = await ask(messages.change, { params: { id: now }, body: { scheduleDate: null } })
      expect([reply.status, reply.body.error]).toEqual([422, 'ERR_MESSAGE_TOO_LONG'])
      await ask(messages.cancel, { params: { id: now } })
      expect(sentFrom(long) ?? sentFrom(now)).toBeUndefined()
    })

    it('are filled in also where it was canceled and is sent after all', async () => {
      const id = await later('Olá, {{firstName}}')
      await ask(messages.cancel, { params: { id } })
      expect((await ask(messages.retry, { params: { id } })).status).toBe(200)
      await until(() => sentFrom(id) !== undefined)
      expect(sentFrom(id)!.body).toBe('Olá, Marlene')
    })
  })

  it('to a contact go over one’s own connections alone', async () => {
    const eva = await m().person(tenantId, { name: 'Eva' })
    const own = await m().connection(tenantId, { type: 'test' })
    await product().platform.db.write(tenantId, (db) =>
      db.insertInto('user_connections').values({ tenant_id: tenantId, user_id: eva.id, connection_id: own }).execute(),
    )
    const contactId = await m().contact(tenantId, { number: '5511977770010' })
    const create = (whatsappId: number) =>
      ask(schedules.create, { body: { whatsappId, contactId, body: 'Oi', scheduleDate: inHours(2) } }, eva)
    expect(await create(connectionId)).toMatchObject({ status: 403, body: { error: 'ERR_NO_PERMISSION' } })
    expect((await create(own)).status).toBe(200)
  })

  it('to a contact go with files, each as the channel carries it', async () => {
    const number = '5511977770009'
    const contactId = await m().contact(tenantId, { name: 'Rute', number })
    const send = async (bytes: string, name: string) => {
      const form = new FormData()
      const fields = { whatsappId: connectionId, contactId, scheduleDate: inHours(2), body: 'Oi {{firstName}}' }
      for (const [key, value] of Object.entries(fields)) form.append(key, String(value))
      form.append('medias', new Blob([bytes]), name)
      const headers = { authorization: `Bearer ${admin.token}` }
      return fetch(`${product().address}/api${schedules.create.path}`, { method: 'POST', headers, body: form })
    }
    const reply = await send('linha', 'tabela.txt')
    expect(reply.status).toBe(200)
    const [row] = (await ask(schedules.list, { query: { contactId } }, admin)).body.messages
    expect(row).toMatchObject({ mediaType: 'document', mediaName: 'tabela.txt', body: 'Oi {{firstName}}' })
    await ask(messages.change, { params: { id: row.id }, body: { scheduleDate: null } }, admin)
    await until(() => channel.sent.some(({ messageId }) => messageId === row.id))
    expect(channel.sent.find(({ messageId }) => messageId === row.id)).toMatchObject({
      body: 'Oi Rute',
      file: { name: 'tabela.txt' },
    })
    expect((await send('x'.repeat(10_000_001), 'grande.txt')).status).toBe(422)
  })
})
