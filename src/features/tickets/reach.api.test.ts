import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { messages } from '#features/messages/contract.ts'
import type { Operation } from '#kit/contract.ts'
import { make, type Person } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { tickets } from './contract.ts'

const product = withProduct()
const m = () => make(product().platform)

// biome-ignore lint/suspicious/noExplicitAny: what the answers hold is what the tests are about
const ask = async (who: Person, op: Operation, input: object): Promise<{ status: number; body: any }> =>
  call(product(), op, who.token, input)

let tenantId: number
let ana: Person
let bia: Person
let other: number
/** Connections: Ana's usual number, a second one, and the site's widget. */
let shop: number
let branch: number
let site: number
let away: number

beforeAll(async () => {
  tenantId = await m().tenant()
  const queueId = await m().queue(tenantId)
  shop = await m().connection(tenantId, { name: 'Loja', is_default: true, queue_id: queueId })
  branch = await m().connection(tenantId, { name: 'Filial', queue_id: queueId })
  site = await m().connection(tenantId, { name: 'Site', type: 'webchat' })
  away = await m().connection(tenantId, { name: 'Parado', status: 'DISCONNECTED' })
  other = await m().queue(tenantId)
  ana = await m().person(tenantId, { queues: [queueId], name: 'Ana Lima' })
  bia = await m().person(tenantId, { queues: [other], name: 'Bia Ramos' })
})

let next = 0
const number = () => `55119${String(70_000_000 + next++)}`
const contact = (more = {}) => m().contact(tenantId, { number: number(), ...more })
const ticketOn = (contactId: number, connectionId: number, more = {}) =>
  m().ticket(tenantId, {
    ...{ contact_id: contactId, connection_id: connectionId, conversation_key: `k${contactId}`, status: 'open' },
    ...{ user_id: ana.id, ...more },
  })
const liveOf = async (contactId: number) =>
  product().platform.db.read(tenantId, (db) =>
    db
      .selectFrom('tickets')
      .select(['id', 'connection_id'])
      .where('contact_id', '=', contactId)
      .where('status', '<>', 'closed')
      .execute(),
  )

describe('messages are passed on', () => {
  const source = async () => {
    const ticketId = await ticketOn(await contact(), shop)
    return m().message(tenantId, ticketId, { body: 'O endereço é Rua das Flores, 10' })
  }
  const pass = (who: Person, id: string, body: object) =>
    ask(who, messages.forward, { body: { messages: [id], ...body } })

  test.each([
    ['the live ticket, on the connection where that is', [['open', 'branch']], 'branch', 'same'],
    [
      'the one on the source’s connection, where there are several',
      [
        ['open', 'branch'],
        ['pending', 'shop'],
      ],
      'shop',
      'same',
    ],
    ['a new one where the contact was last', [['closed', 'branch']], 'branch', 'new'],
    ['a new one on the source’s connection, where the contact has never been', [], 'shop', 'new'],
  ] as const)('into %s', async (_, there, where, which) => {
    const lines = { shop, branch }
    const contactId = await contact()
    const made: Record<string, number> = {}
    for (const [status, line] of there)
      made[line] = await ticketOn(contactId, lines[line], { status, conversation_key: (await numberOf(contactId))! })
    const { status, body } = await pass(ana, await source(), { contact: contactId })
    expect([status, body.error]).toEqual([200, undefined])
    const [recipient] = body.recipients
    expect(recipient).toMatchObject({ contact: contactId, error: null, ticketId: body.ticket.id })
    if (which === 'same') expect(body.ticket.id).toBe(made[where])
    const live = await liveOf(contactId)
    expect(live.find(({ id }) => id === body.ticket.id)?.connection_id).toBe(lines[where])
    expect(live).toHaveLength(there.filter(([one]) => one !== 'closed').length || 1)
  })

  const numberOf = async (id: number) =>
    (
      await product().platform.db.read(tenantId, (db) =>
        db.selectFrom('contacts').select('number').where('id', '=', id).executeTakeFirstOrThrow(),
      )
    ).number

  test('each of several recipients has an answer, and a repetition has the same', async () => {
    const [reached, unreached, blocked] = [await contact(), await contact({ number: null }), await contact()]
    const hidden = await ticketOn(blocked, shop, { user_id: bia.id, queue_id: other, conversation_key: 'da Bia' })
    const id = await source()
    const body = { contacts: [reached, unreached, blocked, 999_999, reached], idFront: randomUUID() }
    const first = await pass(ana, id, body)
    expect(first.status).toBe(200)
    const outcome = Object.fromEntries(
      first.body.recipients.map((one: { contact: number; error: string | null; username: string | null }) => [
        one.contact,
        [one.error, one.username],
      ]),
    )
    expect(outcome).toEqual({
      [reached]: [null, null],
      [unreached]: ['ERR_WAPP_CHECK_CONTACT', null],
      [blocked]: ['ERR_OTHER_OPEN_TICKET', 'Bia Ramos'],
      999999: ['ERR_NO_CONTACT_FOUND', null],
    })
    expect(await liveOf(blocked)).toMatchObject([{ id: hidden }])
    expect(await liveOf(unreached)).toEqual([])
    const again = await pass(ana, id, body)
    expect(again.body.recipients).toEqual(first.body.recipients)
  })

  test('twenty at once to somebody without a ticket make one', async () => {
    const [to, id] = [await contact(), await source()]
    const all = await Promise.all(Array.from({ length: 20 }, () => pass(ana, id, { contacts: [to] })))
    const [live] = await liveOf(to)
    const answered = all.filter(({ status }) => status === 200)
    expect(answered.length).toBeGreaterThan(0)
    expect(new Set(answered.map(({ body }) => body.recipients[0].ticketId))).toEqual(new Set([live!.id]))
    expect(await liveOf(to)).toHaveLength(1)
  })

  test('to nobody, or to one and to several, is refused at the field', async () => {
    for (const body of [{}, { contact: 1, contacts: [1] }, { contacts: [] }])
      expect((await pass(ana, randomUUID(), body)).body).toMatchObject({ error: 'ERR_VALIDATION' })
  })
})

describe('a conversation is begun', () => {
  const reach = (query: object, who = ana) => ask(who, tickets.reach, { query })
  const begin = (body: object, who = ana) => ask(who, tickets.begin, { body: { whatsappId: shop, ...body } })

  test.each([
    ['(11) 97123-4567', '5511971234567'],
    ['11 7123 4567', '5511971234567'],
    ['+1 415 555 2671', '14155552671'],
    ['+55 11 9712 345', null],
    ['97123-4567', null],
    ['Maria', null],
  ])('a typed number is checked: %s', async (typed, digits) => {
    const { body } = await reach({ number: typed })
    if (digits) expect(body).toMatchObject({ number: digits, contact: null })
    else expect(body).toMatchObject({ error: 'ERR_VALIDATION', details: { number: expect.any(String) } })
  })

  test('the ways to a contact: where the ticket is first, what does not reach them last, with the reason', async () => {
    const digits = number()
    const contactId = await contact({ number: digits, name: 'Seu Jorge' })
    const ticketId = await ticketOn(contactId, branch, { conversation_key: digits })
    const { body } = await reach({ number: `+${digits}` })
    expect(body.contact).toEqual({ id: contactId, name: 'Seu Jorge' })
    expect(body.ways).toEqual([
      expect.objectContaining({
        id: branch,
        obstacle: null,
        ticket: { id: ticketId, username: 'Ana Lima', isVisible: true },
      }),
      expect.objectContaining({ id: shop, obstacle: null, ticket: null }),
      expect.objectContaining({ id: site, obstacle: 'unreached' }),
      expect.objectContaining({ id: away, obstacle: 'away' }),
    ])
    expect((await reach({ contactId })).body.ways).toEqual(body.ways)
  })

  test('with a new number it makes the contact; with any other it opens the ticket that is there', async () => {
    const digits = number()
    const first = await begin({ number: `+${digits}` })
    expect(first.body).toMatchObject({
      isNew: true,
      ticket: { status: 'open', userId: ana.id, contact: { number: digits } },
    })
    const { id, contactId } = first.body.ticket
    for (const who of [{ number: digits.replace(/^55119/, '+55 11 ') }, { contactId }])
      expect((await begin(who)).body).toMatchObject({ isNew: false, ticket: { id } })
    expect((await begin({ number: `+${digits}`, whatsappId: site })).body.error).toBe('ERR_WAPP_CHECK_CONTACT')
    expect((await begin({ number: '123' })).body.error).toBe('ERR_VALIDATION')
    expect((await begin({})).body.error).toBe('ERR_VALIDATION')
    expect((await begin({ contactId: 999_999 })).body.error).toBe('ERR_NO_CONTACT_FOUND')
  })

  test('twenty at once with a new number make one contact and one ticket', async () => {
    const digits = number()
    const all = await Promise.all(Array.from({ length: 20 }, () => begin({ number: `+${digits}` })))
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 200))
    expect(new Set(all.map(({ body }) => body.ticket.id)).size).toBe(1)
    expect(all.filter(({ body }) => body.isNew)).toHaveLength(1)
    expect(await liveOf(all[0]!.body.ticket.contactId)).toHaveLength(1)
  })
})
