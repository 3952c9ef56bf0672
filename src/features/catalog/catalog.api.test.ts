import { beforeAll, describe, expect, it } from 'vitest'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { type FastReply, fastReplies, fastReplyFiles } from './fast-replies.ts'
import { tags } from './tags.ts'

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
    expect([refused.status, refused.body]).toMatchObject([409, { error: 'ERR_TAG_CONTACTS_EXISTS' }])
  })
})

describe('quick replies', () => {
  const write = (token: string, body: object) => call(product(), fastReplies.ops.create, token, { body: body as never })
  const keysOf = async (token: string, query: object = {}) => {
    const reply = await call(product(), fastReplies.ops.list, token, { query })
    return (reply.body as { items: { key: string; mayChange: boolean }[] }).items.map((row) => [row.key, row.mayChange])
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
    const params = { id: (mine.body as { id: number }).id }
    for (const op of [fastReplies.ops.get, fastReplies.ops.remove] as const) {
      expect((await call(product(), op, admin, { params })).status).toBe(404)
    }
  })

  it('are changed by their author and, when shared, by leads', async () => {
    const made = await write(agent.token, { key: 'prazo', message: 'Em 5 dias.' })
    const params = { id: (made.body as { id: number }).id }
    const change = (token: string, body: object) =>
      call(product(), fastReplies.ops.update, token, { params, body: body as never })
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
  const png =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
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
  const made = async (body: object = {}) => {
    const reply = { body: { key: `r${Math.random()}`, message: 'Segue.', ...body } as never }
    return (await call(product(), fastReplies.ops.create, agent.token, reply)).body as FastReply
  }

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
    expect((left.body as FastReply).files.map(({ name }) => name)).toEqual(['a.png', 'c.png'])
  })

  it('is a queue that is there, and a count of what was sent by those who see it', async () => {
    const queueId = await make(product().platform).queue(tenantId)
    const { id, uses } = await made({ queueId, isPublic: false })
    expect(uses).toBe(0)
    const gone = await call(product(), fastReplies.ops.update, agent.token, {
      params: { id },
      body: { queueId: queueId + 999 } as never,
    })
    expect(gone.status).toBe(400)
    const params = { id }
    expect((await call(product(), fastReplyFiles.use, agent.token, { params })).status).toBe(200)
    expect((await call(product(), fastReplyFiles.use, colleague, { params })).status).toBe(404)
    const read = await call(product(), fastReplies.ops.get, agent.token, { params })
    expect(read.body).toMatchObject({ queueId, uses: 1 })
  })
})
