import { beforeAll, describe, expect, it } from 'vitest'
import { bulk } from '#features/bulk/contract.ts'
import { reasons } from '#features/catalog/reasons.ts'
import { tickets } from '#features/tickets/contract.ts'
import type { BulkAnswer, Undone } from '#kit/bulk.ts'
import { importsBy } from '#test/contact-imports.ts'
import { make, type Person } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { contactsBulk } from './bulk-contract.ts'
import { type ContactDetail, contacts } from './contract.ts'

const product = withProduct()
let tenantId: number
let lead: Person
let agent: Person
let tag: number
let stage: number

beforeAll(async () => {
  const m = make(product().platform)
  tenantId = await m.tenant()
  lead = await m.person(tenantId, { profile: 'super', name: 'Chefe' })
  agent = await m.person(tenantId, { name: 'Ana' })
  tag = await m.tag(tenantId)
  stage = (
    await product().platform.db.write(tenantId, (db) =>
      db
        .insertInto('stages')
        .values({ tenant_id: tenantId, name: 'Novo', color: '#112233', position: 1 })
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
  ).id
})

type Reply<T> = { status: number; body: T & { error?: string; details?: Record<string, unknown> } }
const start = async (body: object, token = agent.token): Promise<Reply<BulkAnswer>> =>
  await call(product(), contactsBulk.start, token, { body: body as never })
const undo = async (id: string | null, token = agent.token): Promise<Reply<Undone>> =>
  await call(product(), bulk.undo, token, { params: { id: id as string } })
const read = async (id: number): Promise<ContactDetail> =>
  (await call(product(), contacts.get, agent.token, { params: { id } })).body
const change = (id: number, body: object, token = lead.token) =>
  call(product(), contacts.update, token, { params: { id }, body: body })

describe('many contacts at once', () => {
  it.each<[string, object, () => Partial<ContactDetail>]>([
    ['tag', { tagIds: () => [tag] }, () => ({ tags: [expect.objectContaining({ id: tag })] })],
    ['wallet', { userIds: () => [agent.id] }, () => ({ wallets: [{ id: agent.id, name: 'Ana' }] })],
    ['kanban', { kanban: () => stage }, () => ({ kanban: stage })],
    ['block', {}, () => ({ blocked: true })],
    ['blockBot', {}, () => ({ chatbotBlocked: true })],
  ])('%s, and back', async (action, given, expected) => {
    const m = make(product().platform)
    const ids = [await m.contact(tenantId), await m.contact(tenantId)]
    const before = await read(ids[0]!)
    const args = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, (value as () => unknown)()]))
    const { status, body } = await start({ ids: [...ids, 9_999_999], action, args })
    expect([status, body.status, body.done]).toEqual([200, 'done', 2])
    expect(body.refused).toEqual([{ id: 9_999_999, code: 'ERR_NO_CONTACT_FOUND', text: expect.any(String) }])
    for (const id of ids) expect(await read(id)).toMatchObject(expected())
    expect((await undo(body.id)).body).toEqual({ restored: 2, refused: [] })
    expect({ ...(await read(ids[0]!)), updatedAt: '' }).toEqual({ ...before, updatedAt: '' })
  })

  it('takes away what it gave, and gives back what it took', async () => {
    const m = make(product().platform)
    const id = await m.contact(tenantId, { blocked: true, chatbot_blocked: true })
    await change(id, { tags: [tag], wallets: [agent.id] })
    for (const [action, args, expected] of [
      ['untag', { tagIds: [tag] }, { tags: [] }],
      ['unwallet', { userIds: [agent.id] }, { wallets: [] }],
      ['unblock', {}, { blocked: false }],
      ['unblockBot', {}, { chatbotBlocked: false }],
    ] as const) {
      const { body } = await start({ ids: [id], action, args })
      expect(await read(id)).toMatchObject(expected)
      expect((await undo(body.id)).body.restored).toBe(1)
    }
    expect(await read(id)).toMatchObject({
      tags: [{ id: tag }],
      wallets: [{ id: agent.id }],
      blocked: true,
      chatbotBlocked: true,
    })
  })

  it('leaves what somebody has changed since, and says who', async () => {
    const m = make(product().platform)
    const [kept, back] = [await m.contact(tenantId), await m.contact(tenantId)]
    const { body } = await start({ ids: [kept, back], action: 'block' })
    await change(kept, { businessName: 'Padaria' })
    expect((await undo(body.id)).body).toEqual({
      restored: 1,
      refused: [{ id: kept, code: 'ERR_CHANGED_SINCE', text: expect.any(String), by: 'Chefe', at: expect.any(String) }],
    })
    expect([(await read(kept)).blocked, (await read(back)).blocked]).toEqual([true, false])
    expect((await undo(body.id)).body.error).toBe('ERR_UNDO_EXPIRED')
  })

  it('leaves whom somebody has moved on the board since', async () => {
    const id = await make(product().platform).contact(tenantId)
    const { body } = await start({ ids: [id], action: 'block' })
    await change(id, { kanban: stage })
    expect((await undo(body.id)).body).toMatchObject({ restored: 0, refused: [{ id, code: 'ERR_CHANGED_SINCE' }] })
  })

  it('leaves whom a file has changed since', async () => {
    const id = await make(product().platform).contact(tenantId, { name: 'Rui', number: '5521955551111' })
    const { body } = await start({ ids: [id], action: 'block' })
    const { imported } = importsBy(product, () => lead.token)
    expect(await imported('nome;numero;email\nRui;21955551111;rui@casa.br')).toMatchObject({ updated: 1 })
    expect((await undo(body.id)).body).toMatchObject({ restored: 0, refused: [{ id, code: 'ERR_CHANGED_SINCE' }] })
  })

  it('means all of a filter, in the number that was seen, and goes on as a job where they are many', async () => {
    const m = make(product().platform)
    for (let n = 0; n < 203; n++) await m.contact(tenantId, { name: `Lote ${n}` })
    const filter = { searchParam: 'Lote' }
    const looked = (await start({ filter, action: 'tag', args: { tagIds: [tag] }, dryRun: true })).body
    expect([looked.status, looked.total, looked.id]).toEqual(['preview', 203, null])
    expect(await start({ filter, expected: 202, action: 'tag', args: { tagIds: [tag] } })).toMatchObject({
      status: 409,
      body: { error: 'ERR_SELECTION_CHANGED', details: { count: 203 } },
    })
    const { body } = await start({ filter, expected: 203, action: 'tag', args: { tagIds: [tag] } })
    expect(body.status).toBe('running')
    const ended = async () => (await call(product(), bulk.get, agent.token, { params: { id: body.id! } })).body.status
    await until(async () => (await ended()) === 'done')
    const tagged = async () =>
      (await call(product(), contacts.list, agent.token, { query: { tag, searchParam: 'Lote' } })).body.count
    expect(await tagged()).toBe(203)
    expect((await undo(body.id)).body.restored).toBe(203)
    expect(await tagged()).toBe(0)
  })

  it('shows a ticket to nobody but the owner of the wallet into which its contact is put', async () => {
    const m = make(product().platform)
    const company = await m.tenant()
    await m.setting(company, 'DirectTicketsToWallets')
    const [owner, other] = [await m.person(company), await m.person(company)]
    const boss = await m.person(company, { profile: 'admin' })
    const id = await m.contact(company)
    const ticketId = await m.ticket(company, { contact_id: id, status: 'pending' })
    const sees = async ({ token }: Person) =>
      (await call(product(), tickets.get, token, { params: { id: ticketId } })).status
    expect(await sees(other)).toBe(200)
    await start({ ids: [id], action: 'wallet', args: { userIds: [owner.id] } }, boss.token)
    expect([await sees(owner), await sees(other)]).toEqual([200, 404])
    // For users outside of its wallet the contact does not exist.
    expect((await start({ ids: [id], action: 'block' }, other.token)).body).toMatchObject({ done: 0, refusedCount: 1 })
  })

  it.each<[object, string]>([
    [{ ids: [1], action: 'tag' }, 'args.tagIds'],
    [{ ids: [1], action: 'block', args: { kanban: 1 } }, 'args.kanban'],
    [{ action: 'block' }, 'ids'],
    [{ filter: {}, action: 'block' }, 'expected'],
    [{ ids: [1], action: 'kanban', args: { kanban: 999_999 } }, 'kanban'],
  ])('refuses %j at its field', async (body, field) => {
    const reply = await start(body)
    expect([reply.status, Object.keys(reply.body.details ?? {})]).toEqual([400, [field]])
  })

  it('knows tags and people of the company alone', async () => {
    const m = make(product().platform)
    const elsewhere = await m.tenant()
    const id = await m.contact(tenantId)
    const [strangeTag, stranger] = [await m.tag(elsewhere), await m.user(elsewhere)]
    expect((await start({ ids: [id], action: 'tag', args: { tagIds: [strangeTag] } })).body.error).toBe(
      'ERR_NO_TAG_FOUND',
    )
    expect((await start({ ids: [id], action: 'wallet', args: { userIds: [stranger.id] } })).body.error).toBe(
      'ERR_NO_USER_FOUND',
    )
  })
})

describe('what became of a contact', () => {
  type Change = { field: string; name: string | null; before: string; after: string; userName: string | null }
  const changes = async (id: number): Promise<Change[]> =>
    (await call(product(), contacts.changes, agent.token, { params: { id }, query: {} })).body.changes

  it('is told field by field: who, from what, to what', async () => {
    const m = make(product().platform)
    const id = await m.contact(tenantId, { name: 'Antes', email: 'antes@x.dev' })
    await change(id, { name: 'Depois', email: '', tags: [tag], wallets: [agent.id], kanban: stage })
    await start({ ids: [id], action: 'block' })
    const all = (await changes(id)).map(({ field, name, before, after, userName }) => [
      field,
      field === 'tag' || field === 'wallet' ? typeof name : name,
      before,
      after,
      userName,
    ])
    expect(all[0]).toEqual(['blocked', null, 'false', 'true', 'Ana'])
    expect(all.slice(1)).toEqual(
      expect.arrayContaining([
        ['name', null, 'Antes', 'Depois', 'Chefe'],
        ['email', null, 'antes@x.dev', '', 'Chefe'],
        ['tag', 'string', '', 'true', 'Chefe'],
        ['wallet', 'string', '', 'true', 'Chefe'],
        ['kanban', null, '', 'Novo', 'Chefe'],
      ]),
    )
    expect(all).toHaveLength(6)
    await change(id, { name: 'Depois' })
    expect(await changes(id)).toHaveLength(6)
  })
})

describe('a contact as a whole', () => {
  const status = async (id: number) => (await call(product(), tickets.get, lead.token, { params: { id } })).body.status

  it('has all its live tickets resolved at once, and live again', async () => {
    const m = make(product().platform)
    const contactId = await m.contact(tenantId)
    const open = await m.ticket(tenantId, { contact_id: contactId, status: 'open', user_id: lead.id })
    const waiting = await m.ticket(tenantId, { contact_id: contactId, status: 'pending' })
    const old = await m.ticket(tenantId, { contact_id: contactId, status: 'closed' })
    const { body } = await call(product(), contacts.closeAll, lead.token, { body: { contactId } })
    const answer = body
    expect([answer.kind, answer.total, answer.done]).toEqual(['tickets', 2, 2])
    expect([await status(open), await status(waiting), await status(old)]).toEqual(['closed', 'closed', 'closed'])
    expect((await undo(answer.id, lead.token)).body.restored).toBe(2)
    expect([await status(open), await status(waiting)]).toEqual(['open', 'pending'])
    // Where the company requires a reason, one reason applies to all.
    const why = await m.row(tenantId, reasons, { name: 'Engano' })
    await m.setting(tenantId, 'forceReason')
    const end = async (reason: object) =>
      (await call(product(), contacts.closeAll, lead.token, { body: { contactId, ...reason } })).body
    expect(await end({})).toMatchObject({ done: 0, refused: [{ code: 'ERR_REASON_REQUIRED' }, {}] })
    expect(await end({ reasons: why })).toMatchObject({ done: 2, refused: [] })
    await m.setting(tenantId, 'forceReason', 'disabled')
  })

  it('is deleted with everything by an admin, who was told what goes', async () => {
    const m = make(product().platform)
    const admin = await m.person(tenantId, { profile: 'admin' })
    const contactId = await m.contact(tenantId, { name: 'Some' })
    const part = await m.contact(tenantId)
    const live = await m.ticket(tenantId, { contact_id: contactId, status: 'open' })
    for (let n = 0; n < 102; n++) await m.ticket(tenantId, { contact_id: part, status: 'closed' })
    await m.message(tenantId, live, { body: 'oi' })
    await call(product(), contacts.merge, lead.token, { params: { id: contactId }, body: { contactId: part } })
    const params = { id: contactId }
    expect((await call(product(), contacts.previewForced, lead.token, { params })).status).toBe(403)
    expect((await call(product(), contacts.removeForced, lead.token, { params })).status).toBe(403)
    expect((await call(product(), contacts.previewForced, admin.token, { params })).body).toMatchObject({
      name: 'Some',
      tickets: 103,
      live: 1,
      messages: 1,
    })
    expect((await call(product(), contacts.removeForced, admin.token, { params })).status).toBe(200)
    const { action, changes } = await product().platform.db.read(tenantId, (db) =>
      db.selectFrom('audit_log').select(['action', 'changes']).orderBy('seq', 'desc').executeTakeFirstOrThrow(),
    )
    expect([action, changes]).toMatchObject(['contacts.removeForced', { name: { before: 'Some' } }])
    expect((await call(product(), contacts.removeForced, admin.token, { params })).status).toBe(404)
    expect((await call(product(), contacts.get, admin.token, { params: { id: part } })).status).toBe(404)
    expect(await status(live)).toBeUndefined()
  })
})
