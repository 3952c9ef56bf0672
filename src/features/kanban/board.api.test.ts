import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { bulk } from '#features/bulk/contract.ts'
import { contacts } from '#features/contacts/contract.ts'
import { ticketsBulk } from '#features/tickets/bulk-contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import type { Operation } from '#kit/contract.ts'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { breadth } from '#test/setup/breadth.ts'
import { until } from '#test/until.ts'
import { board, type Card } from './contract.ts'
import { stages } from './stages.ts'

const product = withProduct()
const m = () => make(product().platform)
let tenantId: number
let admin: string
let ana: { id: number; token: string }
let lead: string

// biome-ignore lint/suspicious/noExplicitAny: answers of many operations
const ask = (op: Operation, input: object = {}, token = admin): Promise<{ status: number; body: any }> =>
  call(product(), op as never, token, input)
const stage = (name: string) => m().row(tenantId, stages, { name })
const columns = async (query: object = {}, token = admin) => {
  const { body } = await ask(board.get, { query }, token)
  return body.columns as { kanban: number | null; count: number; contacts: Card[]; nextCursor: string | null }[]
}
const inStage = async (kanban: number | null, query: object = {}, token = admin) =>
  (await columns(query, token)).find((one) => one.kanban === kanban)!.contacts.map(({ id }) => id)
const move = (id: number, kanban: number | null, before?: number | null, token = admin) =>
  ask(contacts.update, { params: { id }, body: { kanban, ...(before === undefined ? {} : { before }) } }, token)
const people = (amount: number) =>
  Promise.all(Array.from({ length: amount }, () => m().contact(tenantId))).then((ids) => ids.sort((a, b) => a - b))
const ticketOf = async (id: number) => (await ask(tickets.get, { params: { id } })).body

beforeAll(async () => {
  tenantId = await m().tenant()
  admin = await m().token(await m().user(tenantId, { profile: 'admin' }))
  lead = await m().token(await m().user(tenantId, { profile: 'super' }))
  const user = await m().user(tenantId, { name: 'Ana' })
  ana = { id: user.id, token: await m().token(user) }
})

describe('a contact in a stage', () => {
  it('goes behind all others, before the one that is named, and out of the panel', async () => {
    const kanban = await stage('Contato')
    const [a, b, c] = (await people(3)) as [number, number, number]
    for (const id of [a, b, c]) expect((await move(id, kanban)).body).toMatchObject({ id, kanban })
    expect(await inStage(kanban)).toEqual([a, b, c])
    await move(c, kanban, a)
    await move(b, kanban, c)
    expect(await inStage(kanban)).toEqual([b, c, a])
    // A form that sends the stage unchanged moves nothing.
    await ask(contacts.update, { params: { id: b }, body: { kanban, name: 'Bia' } })
    expect(await inStage(kanban)).toEqual([b, c, a])
    await move(b, kanban, null)
    expect(await inStage(kanban)).toEqual([c, a, b])
    await move(c, null)
    expect([await inStage(kanban), (await inStage(null))[0]]).toEqual([[a, b], c])
  })

  it.each<[string, (other: number) => object, object]>([
    ['a stage that is not there', () => ({ kanban: 2 ** 40 }), { kanban: 'Esta etapa do kanban não existe.' }],
    [
      'an order without a stage',
      (before) => ({ kanban: null, before }),
      { before: 'Só dentro de uma etapa há ordem.' },
    ],
    ['a place without saying where', (before) => ({ before }), { kanban: 'Informe a etapa.' }],
  ])('refuses %s, and changes nothing', async (_, body, details) => {
    const [a, b] = (await people(2)) as [number, number]
    const reply = await ask(contacts.update, { params: { id: a }, body: { name: 'Outra', ...body(b) } })
    expect([reply.status, reply.body]).toMatchObject([400, { error: 'ERR_VALIDATION', details }])
    expect((await ask(contacts.get, { params: { id: a } })).body.name).not.toBe('Outra')
  })

  it('is refused when the card before which it should stand has left, and is another company’s nobody’s', async () => {
    const kanban = await stage('Mudou')
    const [a, b] = (await people(2)) as [number, number]
    expect(await move(a, kanban, b)).toMatchObject({ status: 409, body: { error: 'ERR_BOARD_CHANGED' } })
    const elsewhere = await m().tenant()
    const theirs = await m().row(elsewhere, stages, { name: 'Deles' })
    expect((await move(a, theirs)).status).toBe(400)
  })

  it('keeps its order when the same spot is chosen a thousand times', async () => {
    const kanban = await stage('Sempre ali')
    const [a, b, c, d] = (await people(4)) as [number, number, number, number]
    for (const id of [a, b, c, d]) await move(id, kanban)
    const long = `a0${'0'.repeat(198)}V`
    await product().platform.db.write(tenantId, async (db) => {
      const put = (id: number, kanban_order: string) =>
        db.updateTable('contacts').set({ kanban_order }).where('id', '=', id).execute()
      await put(a, 'a0')
      await put(c, `${long.slice(0, -1)}0V`)
      await put(b, long)
    })
    expect(await inStage(kanban)).toEqual([a, c, b, d])
    await move(d, kanban, c)
    expect(await inStage(kanban)).toEqual([a, d, c, b])
    const [longest] = (await columns())
      .find((one) => one.kanban === kanban)!
      .contacts.map(({ order }) => order!.length)
      .sort((x, y) => y - x)
    expect(longest).toBeLessThan(10)
  })

  it('takes its live tickets along, and those that open later; a closed one keeps the stage of its end', async () => {
    const [first, second] = [await stage('Primeira'), await stage('Segunda')]
    const [contact] = (await people(1)) as [number]
    const open = await m().ticket(tenantId, { contact_id: contact, status: 'open' })
    const told: { type: string; payload: { id?: number; kanban?: number; ids?: number[] } }[] = []
    product().platform.bus.subscribe((_, changes) => void told.push(...(changes as never[])))
    await move(contact, first)
    await until(() => told.length >= 2)
    expect(told).toMatchObject([
      { type: 'ticket:update', payload: { id: open, kanban: first } },
      { type: 'contact:moved', payload: { ids: [contact] } },
    ])
    const update = (id: number, body: object) => ask(tickets.update, { params: { id }, body })
    await update(open, { status: 'closed' })
    const later = await m().ticket(tenantId, { contact_id: contact, status: 'pending' })
    expect((await ticketOf(later)).kanban).toBe(first)
    expect((await update(later, { kanban: second })).body.kanban).toBe(second)
    expect((await ask(contacts.get, { params: { id: contact } })).body.kanban).toBe(second)
    expect((await ticketOf(open)).kanban).toBe(first)
    expect(await update(open, { kanban: second })).toMatchObject({
      status: 409,
      body: { error: 'ERR_TICKET_TRANSITION' },
    })
    expect((await update(open, { status: 'open' })).body.kanban).toBe(second)
  })

  it('many tickets at once, and back to where each stood', async () => {
    const [from, to] = [await stage('De'), await stage('Para')]
    const [a, b, c] = (await people(3)) as [number, number, number]
    for (const id of [a, b, c]) await move(id, from)
    const open = async (contact_id: number) => m().ticket(tenantId, { contact_id, status: 'open' })
    const ids = [await open(a), await open(b), await open(b)]
    const closed = await m().ticket(tenantId, { contact_id: c, status: 'closed' })
    const start = (body: object) =>
      ask(ticketsBulk.start, { body: { ids: [ids[0], ids[1], closed], action: 'kanban', ...body } })
    expect((await start({})).body).toMatchObject({
      error: 'ERR_VALIDATION',
      details: { 'args.kanban': 'Escolha a etapa.' },
    })
    const { body } = await start({ args: { kanban: to } })
    expect(body).toMatchObject({ done: 2, refused: [{ id: closed, code: 'ERR_TICKET_TRANSITION' }] })
    expect([await inStage(from), await inStage(to)]).toEqual([[c], [a, b]])
    // The other ticket of the same contact followed.
    expect((await ticketOf(ids[2]!)).kanban).toBe(to)
    // Meanwhile another contact takes the first place.
    const [late] = (await people(1)) as [number]
    await move(late, from, c)
    const undone = await ask(bulk.undo, { params: { id: body.id } })
    expect(undone.body).toMatchObject({ restored: 2, refused: [] })
    const back = await inStage(from)
    expect([[...back].sort((x, y) => x - y), back.indexOf(a) < back.indexOf(b), back.at(-1)]).toEqual([
      [a, b, c, late],
      true,
      c,
    ])
    expect([await inStage(to), (await ticketOf(ids[2]!)).kanban]).toEqual([[], from])
  })

  it('moved since by somebody stays where it is when the rest goes back', async () => {
    const [from, to, third] = [await stage('Um'), await stage('Dois'), await stage('Três')]
    const [a, b] = (await people(2)) as [number, number]
    const ids = [await m().ticket(tenantId, { contact_id: a }), await m().ticket(tenantId, { contact_id: b })]
    for (const id of [a, b]) await move(id, from)
    const { body } = await ask(ticketsBulk.start, { body: { ids, action: 'kanban', args: { kanban: to } } })
    await move(a, third)
    const undone = await ask(bulk.undo, { params: { id: body.id } })
    expect(undone.body).toMatchObject({ restored: 1, refused: [{ id: ids[0], code: 'ERR_CHANGED_SINCE' }] })
    expect([await inStage(from), await inStage(third)]).toEqual([[b], [a]])
  })
})

describe('two people at once', () => {
  it('twenty moves to the same spot all stand, each at a key of its own', async () => {
    const kanban = await stage('Disputa')
    const [target, ...others] = (await people(21)) as [number, ...number[]]
    await move(target, kanban)
    const replies = await Promise.all(others.map((id, n) => move(id, kanban, target, n % 2 ? admin : lead)))
    expect(replies.map(({ status }) => status)).toEqual(others.map(() => 200))
    const shown = await inStage(kanban)
    expect([shown.at(-1), new Set(shown).size]).toEqual([target, 21])
  })

  it('random moves leave what a plain model says', async () => {
    const command = fc.record({ card: fc.nat(5), to: fc.constantFrom(null, 0, 1), before: fc.nat(6) })
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 15 }), async (commands) => {
        const pair = [await stage(crypto.randomUUID()), await stage(crypto.randomUUID())]
        const ids = await people(6)
        const model = new Map<number | null, number[]>([
          [null, []],
          ...pair.map((id) => [id, []] as [number, number[]]),
        ])
        for (const { card, to, before } of commands) {
          const id = ids[card]!
          const kanban = to === null ? null : pair[to]!
          const others = model.get(kanban)!.filter((one) => one !== id)
          const next = others[before] ?? null
          const reply = await move(id, kanban, kanban === null ? undefined : next)
          expect(reply.status).toBe(200)
          for (const [key, list] of model)
            model.set(
              key,
              list.filter((one) => one !== id),
            )
          model.get(kanban)!.splice(next === null ? others.length : others.indexOf(next), 0, id)
        }
        for (const kanban of pair) expect(await inStage(kanban)).toEqual(model.get(kanban))
      }),
      { numRuns: breadth(3, 20) },
    )
  })
})

describe('the board', () => {
  it('loads fifty of a column, goes on by cursor, counts, and finds', async () => {
    const kanban = await stage('Cheia')
    const keys = Array.from({ length: 120 }, (_, n) => `c${String(n).padStart(3, '0')}`)
    await product().platform.db.write(tenantId, (db) =>
      db
        .insertInto('contacts')
        .values(keys.map((kanban_order, n) => ({ tenant_id: tenantId, name: `Cheia ${n}`, kanban, kanban_order })))
        .execute(),
    )
    const first = (await columns()).find((one) => one.kanban === kanban)!
    expect(first).toMatchObject({ count: 120, countIsCapped: false, hasMore: true })
    const seen = first.contacts.map(({ name }) => name)
    for (let cursor = first.nextCursor; cursor; ) {
      const { body } = await ask(board.column, { query: { kanban, cursor } })
      seen.push(...body.contacts.map(({ name }: Card) => name))
      cursor = body.nextCursor
    }
    expect(seen).toEqual(keys.map((_, n) => `Cheia ${n}`))
    const found = (await columns({ searchParam: 'cheia 11' })).find((one) => one.kanban === kanban)!
    expect([found.count, found.contacts.map(({ name }) => name)]).toEqual([
      11,
      ['Cheia 11', ...Array.from({ length: 10 }, (_, n) => `Cheia ${110 + n}`)],
    ])
    const bad = await ask(board.column, { query: { kanban, cursor: Buffer.from('[7]').toString('base64url') } })
    expect(bad.status).toBe(400)
  })

  it('shows of each card the newest live ticket that its reader may see, and reads single cards again', async () => {
    const kanban = await stage('Cartões')
    const [a, b] = (await people(2)) as [number, number]
    for (const id of [a, b]) await move(id, kanban)
    const since = new Date('2026-05-01T12:00:00Z')
    const id = await m().ticket(tenantId, {
      contact_id: a,
      status: 'open',
      user_id: ana.id,
      waiting_since: since,
      unread_messages: 2,
    })
    await m().ticket(tenantId, { contact_id: a, status: 'closed' })
    await m().ticket(tenantId, { contact_id: b, status: 'pending', is_group: true })
    const cards = async (token: string) =>
      (await ask(board.cards, { query: { ids: [a, b] } }, token)).body as {
        contacts: Card[]
        columns: { kanban: number; count: number }[]
      }
    const shown = async (token: string) =>
      Object.fromEntries((await cards(token)).contacts.map((one) => [one.id, one.ticket]))
    expect((await shown(ana.token))[a]).toEqual({
      id,
      status: 'open',
      username: 'Ana',
      unreadMessages: 2,
      waitingSince: since.getTime(),
    })
    expect([(await shown(admin))[b]?.status, (await shown(ana.token))[b]]).toEqual(['pending', null])
    expect((await cards(admin)).columns).toContainEqual({ kanban, count: 2, countIsCapped: false })
  })

  it('masks customers from restricted users, who may look and not move', async () => {
    const kanban = await stage('Protegida')
    const id = await m().contact(tenantId, { name: 'Marlene Figueiredo', number: '5519998124407' })
    await move(id, kanban)
    const user = await m().user(tenantId)
    await product().platform.db.write(tenantId, (db) =>
      db.updateTable('users').set({ restricted_user: true }).where('id', '=', user.id).execute(),
    )
    const token = await m().token(user)
    const shown = (await columns({}, token)).find((one) => one.kanban === kanban)!.contacts[0]!
    expect(JSON.stringify(shown)).not.toMatch(/Figueiredo|98124407/)
    expect((await move(id, null, undefined, token)).status).toBe(403)
  })

  it('shows under wallet routing what the list of contacts shows, counts included', async () => {
    const company = await m().tenant()
    await m().setting(company, 'DirectTicketsToWallets')
    const [one, two] = [await m().user(company), await m().user(company)]
    const kanban = await m().row(company, stages, { name: 'Carteiras' })
    const [mine, hers, free] = [await m().contact(company), await m().contact(company), await m().contact(company)]
    await product().platform.db.write(company, async (db) => {
      for (const [index, id] of [mine, hers, free].entries())
        await db
          .updateTable('contacts')
          .set({ kanban, kanban_order: `a${index}` })
          .where('id', '=', id)
          .execute()
      await db
        .insertInto('contact_wallets')
        .values([
          { tenant_id: company, contact_id: mine, user_id: one.id },
          { tenant_id: company, contact_id: hers, user_id: two.id },
        ])
        .execute()
    })
    const token = await m().token(one)
    const [, column] = await columns({}, token)
    expect([column!.count, column!.contacts.map(({ id }) => id)]).toEqual([2, [mine, free]])
    expect((await ask(board.cards, { query: { ids: [hers] } }, token)).body.contacts).toEqual([])
    expect((await move(hers, null, undefined, token)).status).toBe(404)
    // The response does not reveal the hidden contact.
    expect((await move(mine, kanban, hers, token)).status).toBe(409)
  })

  it('by tag shows the newest contacts of each, page by page', async () => {
    const tag = await m().tag(tenantId, { tag: 'Aniversário' })
    const ids = await people(60)
    await product().platform.db.write(tenantId, (db) =>
      db
        .insertInto('contact_tags')
        .values(ids.map((contact_id) => ({ tenant_id: tenantId, contact_id, tag_id: tag })))
        .execute(),
    )
    const off = await m().tag(tenantId, { tag: 'Antiga', is_active: false })
    const { body } = await ask(board.tags, { query: { tag: [tag, off] } })
    expect(body.columns).toMatchObject([{ id: tag, tag: 'Aniversário', count: 60, hasMore: true }])
    const next = await ask(board.tagColumn, { query: { tag, cursor: body.columns[0].nextCursor } })
    const seen = [...body.columns[0].contacts, ...next.body.contacts].map(({ id }: Card) => id)
    expect(seen).toEqual(ids.toReversed())
    const company = await m().tenant()
    const token = await m().token(await m().user(company))
    for (let n = 0; n < 22; n++) await m().tag(company)
    const all = await ask(board.tags, { query: {} }, token)
    expect([all.body.columns.length, all.body.total]).toEqual([20, 22])
  })
})

describe('a stage', () => {
  it('with contacts asks where they go: behind those of another, in their order, with their tickets', async () => {
    const [from, to] = [await stage('Some'), await stage('Fica')]
    const [a, b, c] = (await people(3)) as [number, number, number]
    await move(c, to)
    for (const id of [b, a]) await move(id, from)
    const open = await m().ticket(tenantId, { contact_id: a, status: 'open' })
    const closed = await m().ticket(tenantId, { contact_id: a, status: 'closed', kanban: from })
    expect(await ask(stages.ops.remove, { params: { id: from } })).toMatchObject({
      status: 409,
      body: { error: 'ERR_KANBAN_CONTACTS_EXISTS' },
    })
    const replace = (kanban: number | null, token = lead) =>
      ask(board.replaceStage, { params: { id: from }, body: { kanban } }, token)
    expect((await replace(to, ana.token)).status).toBe(403)
    expect((await replace(from)).body).toMatchObject({ details: { kanban: 'Escolha outra etapa.' } })
    const told: { type: string; payload: object }[] = []
    product().platform.bus.subscribe((_, changes) => void told.push(...(changes as never[])))
    expect((await replace(to)).body).toEqual({ moved: 2 })
    await until(() => told.some(({ type }) => type === stages.changed.type))
    expect(told.at(-1)).toMatchObject({ type: stages.changed.type, payload: { id: from, action: 'delete' } })
    expect(await inStage(to)).toEqual([c, b, a])
    expect([(await ticketOf(open)).kanban, (await ticketOf(closed)).kanban]).toEqual([to, null])
    expect((await replace(to)).body).toMatchObject({ error: 'ERR_NO_KANBAN_FOUND' })
    expect((await ask(stages.ops.get, { params: { id: from } })).status).toBe(404)
  })

  it('of many contacts goes block by block, out of the panel too', async () => {
    const from = await stage('Enorme')
    const keys = Array.from({ length: 450 }, (_, n) => `c${String(n).padStart(3, '0')}`)
    await product().platform.db.write(tenantId, (db) =>
      db
        .insertInto('contacts')
        .values(keys.map((kanban_order) => ({ tenant_id: tenantId, name: 'Muitos', kanban: from, kanban_order })))
        .execute(),
    )
    expect((await ask(board.replaceStage, { params: { id: from }, body: { kanban: null } })).body).toEqual({
      moved: 450,
    })
  })

  it('is made by leads alone, thirty at most', async () => {
    const company = await m().tenant()
    const token = await m().token(await m().user(company, { profile: 'super' }))
    const agent = await m().token(await m().user(company))
    const create = (name: string, by = token) => ask(stages.ops.create, { body: { name } }, by)
    expect((await create('Da Ana', agent)).status).toBe(403)
    for (let n = 0; n < 29; n++) await m().row(company, stages, { name: `Etapa ${n}` })
    const both = await Promise.all([create('A última'), create('Uma a mais')])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  })
})
