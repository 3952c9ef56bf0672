import { beforeAll, describe, expect, it } from 'vitest'
import type { Tx } from '#server/db/db.ts'
import { crossing } from '#test/crossing.ts'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { type FastReply, fastReplies, fastReplyFiles } from './fast-replies.ts'
import { tags, tagUses } from './tags.ts'

const product = withProduct()
let tenantId: number
let admin: string
let agent: { id: number; token: string }
let colleague: string

beforeAll(async () => {
  const m = make(product().platform)
  tenantId = await m.tenant()
  admin = await m.token(await m.user(tenantId, { profile: 'admin' }))
  const ana = await m.user(tenantId)
  agent = { id: ana.id, token: await m.token(ana) }
  colleague = await m.token(await m.user(tenantId))
})

describe('tags', () => {
  it.each(['contact', 'ticket'] as const)('stay while a %s has them', async (kind) => {
    const m = make(product().platform)
    const id = await m.tag(tenantId)
    const owner = kind === 'contact' ? await m.contact(tenantId) : await m.ticket(tenantId)
    await product().platform.db.write(tenantId, (db) =>
      kind === 'contact'
        ? db.insertInto('contact_tags').values({ tenant_id: tenantId, contact_id: owner, tag_id: id }).execute()
        : db.insertInto('ticket_tags').values({ tenant_id: tenantId, ticket_id: owner, tag_id: id }).execute(),
    )
    const refused = await call(product(), tags.ops.remove, admin, { params: { id } })
    const message = expect.stringContaining('Junte-a em outra')
    expect([refused.status, refused.body]).toMatchObject([409, { error: 'ERR_TAG_CONTACTS_EXISTS', message }])
  })
})

describe('two tags that become one', () => {
  const read = <T>(work: (db: Tx) => Promise<T>) => product().platform.db.write(tenantId, work)

  it('take everything that refers to them along, and the log says so', async () => {
    const m = make(product().platform)
    const [from, into] = [await m.tag(tenantId, { tag: 'Vip' }), await m.tag(tenantId, { tag: 'VIP' })]
    const [one, both] = [await m.contact(tenantId), await m.contact(tenantId)]
    const ticket = await m.ticket(tenantId, { contact_id: one, status: 'pending' })
    await read(async (db) => {
      const tagged = [one, both].map((contact_id) => ({ tenant_id: tenantId, contact_id, tag_id: from }))
      await db
        .insertInto('contact_tags')
        .values([...tagged, { ...tagged[1]!, tag_id: into }])
        .execute()
      await db.insertInto('ticket_tags').values({ tenant_id: tenantId, ticket_id: ticket, tag_id: from }).execute()
    })
    const times = { created_at: product().platform.now(), updated_at: product().platform.now() }
    const actions = (tag: number) => [{ kind: 'tag', tagIds: [tag] }]
    const flow = (tag: number) => ({ nodeList: [{ id: 'a', interactions: [{ type: 'TagField', data: { tag } }] }] })
    const conditions = (tag: number) => [{ field: 'tagIds', values: [tag] }]
    const json = (value: unknown) => JSON.stringify(value)
    const put = (table: string, row: object) => m.insert(table as never, tenantId, row)
    await put('macros', { name: 'M', color: '#111111', actions: json(actions(from)), ...times })
    const rule = {
      name: 'R',
      event: 'received',
      position: 1,
      actions: json(actions(from)),
      conditions: json(conditions(from)),
    }
    await put('rules', { ...rule, ...times })
    await put('ticket_views', { name: 'V', position: 1, filter: json({ tags: [from] }), ...times })
    const other = await m.tag(tenantId)
    const policy = { is_active: true, first_minutes: 60, ...times }
    await put('sla_policies', { name: 'P', position: 1, tag_ids: [from, other], ...policy })
    await put('sla_policies', { name: 'Q', position: 2, tag_ids: [from, into], ...policy })
    await put('contact_views', { name: 'V', filter: json({ tag: [from] }), ...times })
    const flowId = await put('chat_flows', { name: 'F', definition: json(flow(from)), published_version: 1 })
    await read((db) =>
      db
        .insertInto('chat_flow_versions')
        .values({ tenant_id: tenantId, chat_flow_id: flowId, version: 1, definition: json(flow(from)) })
        .execute(),
    )
    const known = (...tagIds: number[]) => ({ at: 1, events: [], known: { tagIds, isFirstTicket: false, values: {} } })
    const played = { chat_flow_id: flowId, name: 'De quem é VIP', conversation: json(known(other, from)), expect: '{}' }
    await put('flow_cases', { ...played, created_at: times.created_at })
    const counted = async () => {
      const { body } = await call(product(), tagUses.list, admin)
      const { uses } = body
      return [from, into].map((id) => uses.find((use) => use.id === id))
    }
    expect(await counted()).toEqual([
      { id: from, contacts: 2, tickets: 1 },
      { id: into, contacts: 1, tickets: 0 },
    ])
    const merge = (id: number, other: number, token = admin) =>
      call(product(), tagUses.merge, token, { params: { id }, body: { into: other } })
    expect((await merge(from, from)).status).toBe(400)
    expect((await merge(from, into + 999)).status).toBe(404)
    expect((await merge(from, into, agent.token)).status).toBe(403)
    expect((await merge(from, into)).status).toBe(200)

    expect(await counted()).toEqual([undefined, { id: into, contacts: 2, tickets: 1 }])
    const stored = await read(async (db) => ({
      tags: await db.selectFrom('tags').select('id').where('tag', 'in', ['Vip', 'VIP']).execute(),
      macro: await db.selectFrom('macros').select('actions').executeTakeFirst(),
      rule: await db.selectFrom('rules').select(['actions', 'conditions']).executeTakeFirst(),
      views: await db.selectFrom('ticket_views').select('filter').executeTakeFirst(),
      lists: await db.selectFrom('contact_views').select('filter').executeTakeFirst(),
      policies: await db.selectFrom('sla_policies').select('tag_ids').orderBy('position').execute(),
      draft: await db.selectFrom('chat_flows').select(['definition', 'revision']).executeTakeFirst(),
      version: await db.selectFrom('chat_flow_versions').select('definition').executeTakeFirst(),
      cases: await db.selectFrom('flow_cases').select('conversation').execute(),
      logged: await db.selectFrom('audit_log').select('changes').orderBy('seq', 'desc').executeTakeFirst(),
    }))
    expect(stored).toMatchObject({
      tags: [{ id: into }],
      macro: { actions: actions(into) },
      rule: { actions: actions(into), conditions: conditions(into) },
      views: { filter: { tags: [into] } },
      lists: { filter: { tag: [into] } },
      policies: [{ tag_ids: [other, into] }, { tag_ids: [into] }],
      cases: [{ conversation: known(other, into) }],
      draft: { definition: flow(into), revision: 2 },
      version: { definition: flow(into) },
      logged: { changes: expect.objectContaining({ tag: expect.anything() }) },
    })
  })
})

describe('quick replies', () => {
  const write = (token: string, body: object) => call(product(), fastReplies.ops.create, token, { body: body })
  const keysOf = async (token: string, query: object = {}) => {
    const reply = await call(product(), fastReplies.ops.list, token, { query })
    return reply.body.items.map((row) => [row.key, row.mayChange])
  }

  it('are seen by all when shared and by their author alone when not', async () => {
    await write(agent.token, { key: '/bom-dia', message: 'Bom dia!' })
    const mine = await write(agent.token, { key: 'pix', title: 'Chave Pix', message: 'É o CNPJ.', isPublic: false })
    expect(await keysOf(agent.token)).toEqual([
      ['bom-dia', true],
      ['pix', true],
    ])
    expect(await keysOf(colleague)).toEqual([['bom-dia', false]])
    expect(await keysOf(admin)).toEqual([['bom-dia', true]])
    expect(await keysOf(agent.token, { searchParam: '/PIX' })).toEqual([['pix', true]])
    const params = { id: mine.body.id }
    for (const op of [fastReplies.ops.get, fastReplies.ops.remove] as const) {
      expect((await call(product(), op, admin, { params })).status).toBe(404)
    }
  })

  it('are changed by their author and, when shared, by leads', async () => {
    const made = await write(agent.token, { key: 'prazo', message: 'Em 5 dias.' })
    const params = { id: made.body.id }
    const change = (token: string, body: object) =>
      call(product(), fastReplies.ops.update, token, { params, body: body })
    expect((await change(colleague, { message: 'Nunca.' })).body).toMatchObject({ error: 'ERR_NO_PERMISSION' })
    expect((await change(admin, { message: 'Em 3 dias.' })).body).toMatchObject({ message: 'Em 3 dias.', key: 'prazo' })
    expect((await change(agent.token, { isPublic: false })).status).toBe(200)
    expect((await change(admin, { message: 'Em 1 dia.' })).status).toBe(404)
  })

  it('have keys of their own', async () => {
    await write(agent.token, { key: 'endereco', message: 'Rua A' })
    const again = await write(colleague, { key: 'endereco', message: 'Rua B' })
    expect([again.status, again.body]).toMatchObject([409, { error: 'ERR_FAST_REPLY_EXISTS' }])
    const mine = { key: 'endereco', message: 'Rua C', isPublic: false }
    expect((await write(colleague, mine)).status).toBe(200)
    expect((await write(agent.token, mine)).status).toBe(200)
    expect(await write(colleague, mine)).toMatchObject({ status: 409, body: { error: 'ERR_FAST_REPLY_EXISTS' } })
    const bare = await write(colleague, { key: '//', message: 'nada' })
    expect(bare.body).toMatchObject({ details: { key: 'Preencha este campo.' } })
  })
})

describe('what goes with a quick reply', () => {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const attach = async (token: string, id: number, names: readonly string[]) => {
    const form = new FormData()
    for (const name of names) form.append('medias', new Blob([Buffer.from(png, 'base64')], { type: 'image/png' }), name)
    const answer = await fetch(`${product().address}/api/fast-replies/${id}/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    })
    return { status: answer.status, body: (await answer.json()) as FastReply }
  }
  const write = (body: object) => call(product(), fastReplies.ops.create, agent.token, { body: body })
  const made = async (body: object = {}) => (await write({ key: `r${Math.random()}`, message: 'Segue.', ...body })).body

  it('are files in their order, up to ten, of whoever may change it', async () => {
    const { id } = await made({ voice: true, isPublic: false })
    expect((await attach(agent.token, id, ['a.png', 'b.png'])).body.files.map(({ name }) => name)).toEqual([
      'a.png',
      'b.png',
    ])
    const { body } = await attach(agent.token, id, ['c.png'])
    expect(body).toMatchObject({ voice: true, files: [{ name: 'a.png' }, { name: 'b.png' }, { name: 'c.png' }] })
    expect((await fetch(product().address + body.files[0]!.url)).status).toBe(200)
    const eight = Array.from({ length: 8 }, (_, index) => `${index}.png`)
    expect((await attach(agent.token, id, eight)).status).toBe(409)
    expect((await attach(colleague, id, ['x.png'])).status).toBe(404)
    const params = { id, fileId: body.files[1]!.id }
    const left = await call(product(), fastReplyFiles.remove, agent.token, { params })
    expect(left.body.files.map(({ name }) => name)).toEqual(['a.png', 'c.png'])
  })

  it('are counted with those that somebody else attaches in that very moment', async () => {
    const [{ id: first }, { id: second }] = [await made(), await made()]
    const six = Array.from({ length: 6 }, (_, index) => `${index}.png`)
    expect((await attach(agent.token, first, six)).status).toBe(200)
    const attached = `insert into fast_reply_files (tenant_id, fast_reply_id, file_id, position)
      select tenant_id, $1, file_id, position from fast_reply_files where fast_reply_id = $2`
    const held = ['select from fast_replies where id = $1 for update', [second]] as const
    const adding = await crossing(product().ownerUrl, [held, [attached, [second, first]]], () =>
      attach(agent.token, second, six),
    )
    expect(adding.status).toBe(409)
  })

  it('is a queue that is there, and a count of what was sent by those who see it', async () => {
    const queueId = await make(product().platform).queue(tenantId)
    const { id, uses } = await made({ queueId, isPublic: false })
    expect(uses).toBe(0)
    const gone = await call(product(), fastReplies.ops.update, agent.token, {
      params: { id },
      body: { queueId: queueId + 999 },
    })
    expect(gone.status).toBe(400)
    const added = await write({ key: 'sem-fila', message: 'x', queueId: queueId + 999 })
    expect([added.status, Object.keys((added.body as { details: object }).details)]).toEqual([400, ['queueId']])
    const params = { id }
    expect((await call(product(), fastReplyFiles.use, agent.token, { params })).status).toBe(200)
    expect((await call(product(), fastReplyFiles.use, colleague, { params })).status).toBe(404)
    const read = await call(product(), fastReplies.ops.get, agent.token, { params })
    expect(read.body).toMatchObject({ queueId, uses: 1 })
  })
})
