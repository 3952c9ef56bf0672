import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { contacts as people } from '#features/contacts/contract.ts'
import { messages } from '#features/messages/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { encodeCursor } from '#kit/cursor.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { webchatOn } from '#test/webchat.ts'
import { type MessagePage, webchat } from './contract.ts'

const product = withProduct()
const { company, visit, write, read, accept, answer, open } = webchatOn(product)

describe('a visitor', () => {
  it('hears and reads all of a long absence, page by page, though hundreds changed in one moment', async () => {
    const { tenantId, admin, token, channel } = await company()
    const visitor = await visit(channel)
    await write(visitor, 'Oi')
    await until(async () => (await read(visitor)).messages.length === 1)
    const { asOf } = await read(visitor)
    const ticketId = await accept(token, admin.id)
    const many = 620
    await product().platform.db.asPlatform((db) =>
      sql`insert into messages (tenant_id, id, provider_id, ticket_id, contact_id, connection_id, conversation_key, from_me, status, body, timestamp)
        select t.tenant_id, made.id, made.id::text, t.id, t.contact_id, t.connection_id, t.conversation_key, true, 'sent',
          'Aviso ' || n, now() + n * interval '1 ms'
        from tickets t, (select n, gen_random_uuid() as id from generate_series(1, ${many}) n) made where t.tenant_id = ${tenantId} and t.id = ${ticketId}`.execute(
        db,
      ),
    )
    // Analyzes the tables, as autovacuum does after so many inserts; without statistics each page takes a second.
    const owner = new pg.Client({ connectionString: product().ownerUrl })
    await owner.connect()
    await owner.query('analyze messages').finally(() => owner.end())
    const heard = new Map<string, string>()
    let last = ''
    for (let cursor: string | undefined = '', pages = 0; cursor !== undefined; pages++) {
      expect(pages).toBeLessThan(20)
      const page: MessagePage = await read(visitor, cursor ? { cursor } : { since: asOf })
      for (const { id, body } of page.messages) {
        heard.set(id, body)
        if (body === `Aviso ${many}`) last = id
      }
      cursor = page.nextCursor ?? undefined
    }
    expect(heard.size).toBe(many + 1)
    expect(new Set(heard.values()).size).toBe(many + 1)
    const statuses = async () => {
      const { rows } = await product().platform.db.asPlatform((db) =>
        sql<{ status: string; n: number }>`select status, count(*)::int as n from messages
          where tenant_id = ${tenantId} and from_me group by status`.execute(db),
      )
      return Object.fromEntries(rows.map(({ status, n }) => [status, n]))
    }
    await until(async () => (await statuses())['delivered'] === many)
    await call(product(), webchat.read, visitor, { body: { upTo: last } })
    await until(async () => (await statuses())['read'] === many)
  }, 90_000)

  it('quotes and is quoted, and a note that the team quotes stays with the team', async () => {
    const { admin, token, channel } = await company()
    const visitor = await visit(channel)
    await write(visitor, 'Tem na cor azul?')
    await until(async () => (await read(visitor)).messages.length === 1)
    const ticketId = await accept(token, admin.id)
    const [question] = (await read(visitor)).messages
    const reply = (body: string, quotedMsgId: string, isNote = false) =>
      call(product(), messages.send, token, {
        params: { ticketId },
        body: { idFront: randomUUID(), body, isNote, quotedMsgId },
      })
    const page = await open(visitor)
    expect((await reply('Tem sim', question!.id)).status).toBe(200)
    await until(() => page.heard.some(({ body }) => body === 'Tem sim'))
    const told = page.heard.find(({ body }) => body === 'Tem sim')!
    const quoted = {
      id: question!.id,
      fromVisitor: true,
      author: null,
      kind: 'text',
      body: 'Tem na cor azul?',
      name: null,
    }
    expect(told.quoted).toEqual(quoted)
    expect((await read(visitor)).messages.at(-1)?.quoted).toEqual(quoted)

    const body = { idFront: randomUUID(), text: 'Então quero duas', quotedId: told.id }
    expect((await call(product(), webchat.send, visitor, { body })).status).toBe(200)
    await until(async () => (await read(visitor)).messages.length === 3)
    expect((await read(visitor)).messages.at(-1)?.quoted).toMatchObject({ author: admin.name, body: 'Tem sim' })
    const list = await call(product(), messages.list, token, { params: { ticketId } })
    expect(list.body.messages.at(-1)).toMatchObject({
      body: 'Então quero duas',
      fromMe: false,
      quotedMsg: { id: told.id, body: 'Tem sim', fromMe: true, author: admin.name },
    })

    const noted = await call(product(), messages.send, token, {
      params: { ticketId },
      body: { idFront: randomUUID(), body: 'Cliente difícil', isNote: true },
    })
    const [note] = noted.body.messages
    expect((await reply('Já separei', note!.id)).status).toBe(200)
    await until(() => page.heard.some(({ body }) => body === 'Já separei'))
    expect(page.heard.find(({ body }) => body === 'Já separei')!.quoted).toBeNull()

    const other = await visit(channel)
    for (const quotedId of [note!.id, randomUUID()])
      expect(
        (await call(product(), webchat.send, visitor, { body: { idFront: randomUUID(), text: 'x', quotedId } })).body,
      ).toMatchObject({ error: 'ERR_FETCH_WAPP_MSG' })
    const foreign = { idFront: randomUUID(), text: 'x', quotedId: told.id }
    expect((await call(product(), webchat.send, other, { body: foreign })).status).toBe(404)
    page.close()
  })

  it('keeps what is its own, read and live, when two visitors turn out to be one person', async () => {
    const { tenantId, admin, token, channel } = await company()
    const [phone, laptop] = [await visit(channel), await visit(channel)]
    const texts = async (visitor: string) => (await read(visitor)).messages.map(({ body }) => body)
    await write(phone, 'do celular')
    await until(async () => (await texts(phone)).length === 1)
    const ticketId = await accept(token, admin.id)
    await write(laptop, 'do computador')
    await until(async () => (await texts(laptop)).length === 1)
    const pages = [await open(phone), await open(laptop)] as const
    const heard = () => pages.map((page) => page.heard.map(({ body }) => body))
    expect((await answer(ticketId, token, 'Ao celular')).status).toBe(200)
    await until(() => pages[0].heard.length > 0)
    const [one, other] = await product().platform.db.read(tenantId, (db) =>
      db.selectFrom('contacts').select('id').orderBy('id').execute(),
    )
    const merge = { params: { id: one!.id }, body: { contactId: other!.id } }
    const merged = await call(product(), people.merge, token, merge)
    expect(merged.status).toBe(200)

    await write(laptop, 'outra vez do computador')
    await until(() => pages[1].heard.some(({ body }) => body === 'outra vez do computador'))
    expect((await answer(ticketId, token, 'Ao computador')).status).toBe(200)
    await until(() => pages[1].heard.some(({ body }) => body === 'Ao computador'))
    const own = [
      ['do celular', 'Ao celular'],
      ['do computador', 'outra vez do computador', 'Ao computador'],
    ]
    expect(await Promise.all([phone, laptop].map(texts))).toEqual(own)
    await write(phone, 'e do celular')
    await until(() => pages[0].heard.some(({ body }) => body === 'e do celular'))
    expect((await answer(ticketId, token, 'De novo ao celular')).status).toBe(200)
    await until(() => pages[0].heard.some(({ body }) => body === 'De novo ao celular'))
    own[0]!.push('e do celular', 'De novo ao celular')
    expect(await Promise.all([phone, laptop].map(texts))).toEqual(own)
    for (const [n, bodies] of heard().entries()) expect(own[n]).toEqual(expect.arrayContaining(bodies))

    // Ticket actions of the team apply to both.
    const told: unknown[][] = [[], []]
    for (const [n, page] of pages.entries()) page.on('closed', () => told[n]!.push('closed'))
    const params = { id: ticketId }
    expect((await call(product(), tickets.force, token, { params, body: { status: 'closed' } })).status).toBe(200)
    await until(() => told.every((one) => one.length > 0))

    const { mergeId } = merged.body
    expect((await call(product(), people.undoMerge, token, { params: { mergeId } })).status).toBe(200)
    expect(await Promise.all([phone, laptop].map(texts))).toEqual(own)
    for (const page of pages) page.close()
  })

  it('is refused a place that nobody gave it', async () => {
    const { channel } = await company()
    const visitor = await visit(channel)
    for (const cursor of ['x', encodeCursor(['ontem', randomUUID()]), encodeCursor([null, 7]), encodeCursor(['a'])])
      expect((await call(product(), webchat.list, visitor, { query: { cursor } })).status).toBe(400)
  })
})
