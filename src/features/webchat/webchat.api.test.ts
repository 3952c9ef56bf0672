import { createHmac, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { io } from 'socket.io-client'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { messages } from '#features/messages/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { secretsFrom } from '#server/secrets.ts'
import { make } from '#test/make.ts'
import { call, createDatabase, type Product, startProduct, testSecrets, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { webchatOn } from '#test/webchat.ts'
import { type WebchatChannelForm, webchat, webchatChannels } from './contract.ts'

const product = withProduct()
const { company, visit, write, read, accept, answer, open, form } = webchatOn(product)

describe('a visitor', () => {
  it('learns how the channel looks from its public token alone', async () => {
    const { channel } = await company()
    const { status, body } = await call(product(), webchat.config, null, { query: { token: channel.token } })
    expect(status).toBe(200)
    expect(body).toMatchObject({ ...form.look, online: false })
    const unknown = await call(product(), webchat.config, null, { query: { token: 'x'.repeat(43) } })
    expect(unknown.body).toMatchObject({ error: 'ERR_NO_WAPP_FOUND' })
  })

  it('opens one ticket, and the same message sent many times at once is one message', async () => {
    const { tenantId, channel } = await company()
    const visitor = await visit(channel)
    const idFront = randomUUID()
    const replies = await Promise.all(Array.from({ length: 8 }, () => write(visitor, 'Vocês entregam?', idFront)))
    expect(replies.map((reply) => reply.status)).toEqual(Array(8).fill(200))
    await write(visitor, 'Em Campinas')
    await until(async () => (await read(visitor)).messages.length === 2)
    const { messages: seen, hasMore } = await read(visitor)
    expect(seen.map(({ body, fromVisitor, status }) => ({ body, fromVisitor, status }))).toEqual([
      { body: 'Vocês entregam?', fromVisitor: true, status: 'sent' },
      { body: 'Em Campinas', fromVisitor: true, status: 'sent' },
    ])
    expect(seen[0]?.idFront).toBe(idFront)
    expect(hasMore).toBe(false)
    const tickets = await product().platform.db.read(tenantId, (db) =>
      db.selectFrom('tickets').select(['status', 'channel', 'unread_messages']).execute(),
    )
    expect(tickets).toEqual([{ status: 'pending', channel: 'webchat', unread_messages: 2 }])
  })

  it('reads its own conversation only, and nothing without a token that is known', async () => {
    const { channel } = await company()
    const [one, other] = [await visit(channel), await visit(channel)]
    await write(one, 'segredo')
    await until(async () => (await read(one)).messages.length === 1)
    expect((await read(other)).messages).toEqual([])
    for (const token of [null, 'inventado', channel.token]) {
      expect((await call(product(), webchat.list, token, {})).status).toBe(401)
    }
    await expect(open('inventado')).rejects.toThrow('ERR_SESSION_EXPIRED')
  })

  it('is told when it comes back whether what it says next goes on in a ticket', async () => {
    const { channel, token, admin } = await company()
    const visitorToken = await visit(channel)
    const goesOn = async () => {
      const body = { token: channel.token, visitorToken }
      return (await call(product(), webchat.session, null, { body })).body.ticketOpen
    }
    expect(await goesOn()).toBe(false)
    await write(visitorToken, 'Oi')
    await until(async () => (await read(visitorToken)).messages.length === 1)
    expect(await goesOn()).toBe(true)
    const params = { id: await accept(token, admin.id) }
    expect(await goesOn()).toBe(true)
    expect((await call(product(), tickets.force, token, { params, body: { status: 'closed' } })).status).toBe(200)
    expect(await goesOn()).toBe(false)
  })

  it('keeps the conversation when it comes back with its token', async () => {
    const { channel } = await company()
    const first = await visit(channel)
    await write(first, 'volto já')
    expect(await visit(channel, { visitorToken: first })).toBe(first)
    const { channel: elsewhere } = await company()
    expect(await visit(elsewhere, { visitorToken: first })).not.toBe(first)
  })

  it('hears the team live; its confirmation is the delivery, its look the reading', async () => {
    const { tenantId, admin, token, channel } = await company()
    const visitor = await visit(channel)
    await write(visitor, 'Oi')
    await until(async () => (await read(visitor)).messages.length === 1)
    const ticketId = await accept(token, admin.id)
    const [silent, page] = [await open(visitor, false), await open(visitor)]
    expect((await answer(ticketId, token, 'Bom *dia*')).status).toBe(200)
    await until(() => page.heard.length === 1 && silent.heard.length === 1)
    expect(page.heard[0]).toMatchObject({ fromVisitor: false, author: admin.name, body: 'Bom *dia*', status: 'sent' })
    const stored = () =>
      product().platform.db.read(tenantId, (db) =>
        db.selectFrom('messages').select(['id', 'status']).where('from_me', '=', true).executeTakeFirstOrThrow(),
      )
    await until(async () => (await stored()).status === 'delivered')
    const told: unknown[] = []
    silent.on('status', (status: unknown) => told.push(status))
    const { id } = await stored()
    await call(product(), webchat.read, visitor, { body: { upTo: id } })
    await until(async () => (await stored()).status === 'read' && told.length === 1)
    expect(told).toEqual([{ ids: [id], status: 'read' }])
    silent.close()
    page.close()
  })

  it('asks after an absence for what changed since', async () => {
    const { admin, token, channel } = await company()
    const visitor = await visit(channel)
    await write(visitor, 'Oi')
    await until(async () => (await read(visitor)).messages.length === 1)
    const { asOf } = await read(visitor)
    const ticketId = await accept(token, admin.id)
    await answer(ticketId, token, 'Enquanto você não estava')
    await until(async () => (await read(visitor, { since: asOf })).messages.length === 2)
    const { messages: seen } = await read(visitor, { since: asOf })
    expect(seen.at(-1)?.body).toBe('Enquanto você não estava')
    const { messages: earlier } = await read(visitor, { before: seen.at(-1)!.id })
    expect(earlier.map(({ body }) => body)).toEqual(['Oi'])
  })

  it('sees that the team reads, writes and ends, and the team that the visitor writes', async () => {
    const { tenantId, admin, token, channel } = await company()
    const visitor = await visit(channel)
    await write(visitor, 'Oi')
    await until(async () => (await read(visitor)).messages.length === 1)
    const page = await open(visitor)
    const told: unknown[] = []
    for (const name of ['status', 'typing', 'closed']) page.on(name, (detail: unknown) => told.push([name, detail]))
    const ticketId = await accept(token, admin.id)
    const change = (body: object) => call(product(), tickets.update, token, { params: { id: ticketId }, body })
    await change({ unreadMessages: 0 })
    await until(async () => (await read(visitor)).messages[0]?.status === 'read')
    const [own] = (await read(visitor)).messages
    await until(() => told.length > 0)
    // A visitor with many messages has ticks beyond those listed by id.
    expect(told.at(-1)).toEqual(['status', { ids: [own!.id], status: 'read', upTo: own!.timestamp }])

    await call(product(), messages.typing, token, { params: { id: ticketId }, body: { state: 'composing' } })
    await until(() => told.some((one) => (one as string[])[0] === 'typing'))
    expect(told.at(-1)).toEqual(['typing', { state: 'composing', author: admin.name }])

    const agent = io(product().address, { auth: { token }, transports: ['websocket'] })
    await new Promise((resolve) => agent.on('connect', () => resolve(null)))
    const heard = new Promise((resolve) => agent.on(`${tenantId}:typing`, ({ payload }) => resolve(payload)))
    await call(product(), webchat.typing, visitor, { body: { state: 'composing' } })
    expect(await heard).toEqual({ ticketId, state: 'composing', who: null })

    expect((await change({ status: 'closed' })).status).toBe(200)
    await until(() => told.some((one) => (one as string[])[0] === 'closed'))
    agent.close()
    page.close()
  })

  it('never sees notes', async () => {
    const { admin, token, channel } = await company()
    const visitor = await visit(channel)
    await write(visitor, 'Oi')
    await until(async () => (await read(visitor)).messages.length === 1)
    const ticketId = await accept(token, admin.id)
    const page = await open(visitor)
    const body = { idFront: randomUUID(), body: 'cliente difícil', isNote: true }
    expect((await call(product(), messages.send, token, { params: { ticketId }, body })).status).toBe(200)
    await answer(ticketId, token, 'Pois não?')
    await until(() => page.heard.length > 0)
    // A message sent before its event was published arrives twice.
    expect([...new Set(page.heard.map((message) => message.body))]).toEqual(['Pois não?'])
    expect(JSON.stringify(await read(visitor))).not.toContain('difícil')
    page.close()
  })
})

describe('a file of a visitor', () => {
  async function send(visitor: string, name: string, bytes: Uint8Array<ArrayBuffer>, idFront: string = randomUUID()) {
    const body = new FormData()
    body.append('idFront', idFront)
    body.append('caption', 'Veja')
    body.append('file', new Blob([bytes]), name)
    const headers = { authorization: `Bearer ${visitor}` }
    const reply = await fetch(`${product().address}/api/webchat/upload`, { method: 'POST', headers, body })
    return { status: reply.status, body: await reply.json() }
  }
  const picture = async () => {
    const image = sharp({ create: { width: 40, height: 30, channels: 3, background: '#c08a55' } })
    return new Uint8Array(await image.png().toBuffer())
  }

  it('arrives as what it is, once, and is read by a signed link', async () => {
    const { channel } = await company()
    const visitor = await visit(channel)
    const [bytes, idFront] = [await picture(), randomUUID()]
    expect((await send(visitor, 'foto.txt', bytes, idFront)).status).toBe(200)
    expect((await send(visitor, 'foto.txt', bytes, idFront)).status).toBe(200)
    await until(async () => (await read(visitor)).messages.length === 1)
    const [message] = (await read(visitor)).messages
    expect(message).toMatchObject({ kind: 'image', body: 'Veja', media: { name: 'foto.txt', mime: 'image/png' } })
    const file = await fetch(product().address + message!.media!.url)
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(bytes)
  })

  it('is asked for where none came, and nobody sends one without a conversation', async () => {
    const { channel } = await company()
    const body = { idFront: randomUUID() }
    const bare = await call(product(), webchat.upload, await visit(channel), { body })
    expect(bare).toMatchObject({ status: 400, body: { details: { file: 'Anexe um arquivo.' } } })
    expect((await send('nobody', 'foto.png', await picture())).status).toBe(401)
    expect(await send(await visit(channel), 'foto.png', await picture(), 'não é um uuid')).toMatchObject({
      status: 400,
      body: { error: 'ERR_VALIDATION', details: { idFront: expect.any(String) } },
    })
  })

  it('is refused for what is in it, not for its name', async () => {
    const { channel } = await company()
    const page = new TextEncoder().encode('<!doctype html><script>alert(1)</script>')
    expect(await send(await visit(channel), 'foto.png', page)).toMatchObject({
      status: 415,
      body: { error: 'ERR_FILE_TYPE' },
    })
  })

  it('is refused beyond 16 MiB', async () => {
    const { channel } = await company()
    const { status, body } = await send(await visit(channel), 'grande.pdf', new Uint8Array(16 * 1024 * 1024 + 1))
    expect({ status, error: body.error }).toEqual({ status: 413, error: 'ERR_FILE_TOO_LARGE' })
  })
})

describe('who the site says the reader is', () => {
  /** Creates a company whose server knows its channel's secret; returns how it signs a visitor's identity. */
  async function vouching(change: Partial<WebchatChannelForm> = {}) {
    const about = await company(product(), change)
    const reply = await call(product(), webchatChannels.newSecret, about.token, { params: { id: about.channel.id } })
    const { proofSecret } = reply.body
    const proof = (id: string) => createHmac('sha256', proofSecret).update(id).digest('hex')
    return { ...about, proofSecret, proof }
  }
  const texts = async (visitor: string) => (await read(visitor)).messages.map(({ body }) => body)

  it('with a proof is the same conversation on every device, and nobody else’s in the same browser', async () => {
    const { channel, proof } = await vouching()
    const ana = { id: '42', name: 'Ana Lima', hash: proof('42') }
    const phone = await visit(channel)
    await write(phone, 'sem nome ainda')
    await until(async () => (await texts(phone)).length === 1)
    const proven = await visit(channel, { visitorToken: phone, user: ana })
    expect(await visit(channel, { visitorToken: proven, user: ana })).toBe(proven)
    const laptop = await visit(channel, { user: ana })
    expect(laptop).not.toBe(phone)
    expect(await texts(laptop)).toEqual(['sem nome ainda'])
    const bia = { id: '43', name: 'Bia', hash: proof('43') }
    const next = await visit(channel, { visitorToken: proven, user: bia })
    expect(await texts(next)).toEqual([])
  })

  it('with a proof has a token of their own: who knew the one before reads nothing that comes after', async () => {
    const { channel, proof } = await vouching()
    const ana = { id: '42', name: 'Ana Lima', hash: proof('42') }
    const status = async (token: string) =>
      (await fetch(`${product().address}/api/webchat/messages`, { headers: { authorization: `Bearer ${token}` } }))
        .status
    const before = await visit(channel)
    await write(before, 'sem nome ainda')
    await until(async () => (await texts(before)).length === 1)
    const lost = await visit(channel, { visitorToken: before, user: ana })
    expect([await status(before), lost === before]).toEqual([401, false])
    // The answer with the new token was lost: what is written meanwhile still arrives, and the proof opens the conversation.
    await write(before, 'ainda com o antigo')
    const proven = await visit(channel, { visitorToken: before, user: ana })
    await until(async () => (await texts(proven)).length === 2)
    expect([await status(before), await status(proven)]).toEqual([401, 200])
    expect(await visit(channel, { visitorToken: before })).not.toBe(before)
    const late = await call(product(), webchat.send, before, { body: { idFront: crypto.randomUUID(), text: 'tarde' } })
    expect(late.status).toBe(401)
    // Anonymous messages in another browser of hers become hers as well.
    const other = await visit(channel)
    await visit(channel, { visitorToken: other, user: ana })
    expect(await status(other)).toBe(401)
  })

  it('with a wrong proof is refused, and without one where the channel asks for it', async () => {
    const { channel, proof } = await vouching({ requiresProof: true })
    const other = await vouching()
    const ask = (user: object) =>
      call(product(), webchat.session, null, { body: { token: channel.token, user } as never })
    expect((await ask({ id: '42', hash: other.proof('42') })).status).toBe(403)
    expect((await ask({ id: '42', hash: 'nada' })).status).toBe(403)
    expect((await ask({ id: '42' })).status).toBe(403)
    expect((await ask({ id: '42', hash: proof('42') })).status).toBe(200)
  })

  it('rests on a secret that is shown once, kept encrypted, and gone when another is made', async () => {
    const { tenantId, token, channel, proof, proofSecret } = await vouching()
    const stored = async () =>
      JSON.stringify(
        await product().platform.db.asPlatform(async (db) => [
          await db.selectFrom('connections').select('config').where('id', '=', channel.id).execute(),
          await db.selectFrom('idempotency_keys').selectAll().where('tenant_id', '=', tenantId).execute(),
        ]),
      )
    expect(await stored()).not.toContain(proofSecret)
    const list = await call(product(), webchatChannels.list, token)
    expect(list.body).toMatchObject({ channels: [{ proofHint: proofSecret.slice(-4) }] })
    expect(JSON.stringify(list.body)).not.toContain(proofSecret)
    const saved = await call(product(), webchatChannels.update, token, { params: { id: channel.id }, body: form })
    expect(saved.body).toMatchObject({ proofHint: proofSecret.slice(-4) })
    const ask = (hash: string) =>
      call(product(), webchat.session, null, { body: { token: channel.token, user: { id: '42', hash } } })
    expect((await ask(proof('42'))).status).toBe(200)
    await call(product(), webchatChannels.newSecret, token, { params: { id: channel.id } })
    expect((await ask(proof('42'))).status).toBe(403)
    // A channel without a secret accepts no signed identity.
    const { channel: silent } = await company()
    const body = { token: silent.token, user: { id: '42', hash: proof('42') } }
    expect((await call(product(), webchat.session, null, { body })).status).toBe(403)
  })

  it('a product with another master key does not start on encrypted secrets, and says why', async () => {
    const owner = await createDatabase()
    const first = await startProduct({}, owner)
    const about = await company(first)
    await call(first, webchatChannels.newSecret, about.token, { params: { id: about.channel.id } })
    await first.close()
    const other = secretsFrom(Buffer.alloc(32, 8))
    // Another key gives the database's roles other passwords; the sentence is about the rows.
    await expect(startProduct({ secrets: { ...testSecrets, keyId: other.keyId } }, owner)).rejects.toThrow(
      /Os dados são de outra chave mestra/,
    )
    await (await startProduct({}, owner)).close()
  })

  it('without a proof fills what is empty and replaces nothing', async () => {
    const { tenantId, channel } = await company()
    const visitor = await visit(channel)
    await write(visitor, 'oi')
    await until(async () => (await texts(visitor)).length === 1)
    const contact = () =>
      product().platform.db.read(tenantId, (db) =>
        db.selectFrom('contacts').select(['name', 'email', 'extra_info']).executeTakeFirstOrThrow(),
      )
    expect((await contact()).name).toMatch(/^Visitante /)
    const user = { id: '1', name: 'Caio', email: 'caio@site.dev' }
    await visit(channel, { visitorToken: visitor, user, attributes: { plano: 'ouro' } })
    await visit(channel, { visitorToken: visitor, user: { ...user, name: 'Outro' }, attributes: { plano: 'prata' } })
    expect(await contact()).toEqual({
      name: 'Caio',
      email: 'caio@site.dev',
      extra_info: [{ id: 'webchat:plano', name: 'plano', value: 'prata' }],
    })
  })
})

describe('the settings of channels', () => {
  it('are the administrator’s of that company', async () => {
    const one = await company()
    const two = await company()
    const made = make(product().platform)
    const agent = await made.token(await made.user(one.tenantId))
    expect((await call(product(), webchatChannels.list, agent)).status).toBe(403)
    const list = await call(product(), webchatChannels.list, two.token)
    expect(list.body.channels.map(({ id }) => id)).toEqual([two.channel.id])
    const params = { id: one.channel.id }
    expect((await call(product(), webchatChannels.update, two.token, { params, body: form })).status).toBe(404)
    expect((await call(product(), webchatChannels.renew, two.token, { params })).status).toBe(404)
    expect((await call(product(), webchat.config, null, { query: { token: one.channel.token } })).status).toBe(200)
  })

  it('reach the sites at once', async () => {
    const { channel, token } = await company()
    const ask = () => call(product(), webchat.config, null, { query: { token: channel.token } })
    expect((await ask()).body).toMatchObject({ title: 'Loja' })
    const body = { ...form, look: { ...form.look, title: 'Outra' } }
    await call(product(), webchatChannels.update, token, { params: { id: channel.id }, body })
    expect((await ask()).body).toMatchObject({ title: 'Outra' })
  })

  it('a new token ends the one before', async () => {
    const { channel, token } = await company()
    const renewed = (await call(product(), webchatChannels.renew, token, { params: { id: channel.id } })).body
    const status = async (of: string) => (await call(product(), webchat.config, null, { query: { token: of } })).status
    expect(await status(renewed.token)).toBe(200)
    expect(await status(channel.token)).toBe(404)
  })

  it('say by field what is wrong', async () => {
    const { channel, token } = await company()
    const body = { ...form, look: { ...form.look, color: 'roxo' }, domains: ['https://loja.com.br/x'] }
    const reply = await call(product(), webchatChannels.update, token, { params: { id: channel.id }, body })
    expect(reply.status).toBe(400)
    expect(Object.keys((reply.body as { details: object }).details).sort()).toEqual(['domains.0', 'look.color'])
  })
})

it('a server that stops does not wait for visitors', async () => {
  const stopping = await startProduct()
  const { channel } = await company(stopping)
  const visitorToken = await visit(channel, {}, stopping)
  const page = io(`${stopping.address}/webchat`, { auth: { visitorToken }, transports: ['websocket'] })
  await new Promise((resolve) => page.on('connect', () => resolve(null)))
  page.io.reconnection(false)
  await Promise.race([stopping.close(), until(() => false, 5000)])
  await until(() => !page.connected)
})

it('a visitor writes at most twenty messages a minute', async () => {
  const limited = await startProduct({ env: { RATE_LIMITS: true } })
  try {
    const { channel } = await company(limited)
    const visitor = await visit(channel, {}, limited)
    const replies = await Promise.all(
      Array.from({ length: 22 }, (_, n) => write(visitor, `${n}`, randomUUID(), limited)),
    )
    const refused = replies.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(2)
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
  } finally {
    await limited.close()
  }
})

describe('what sites load', () => {
  let dist = ''
  let served: Product
  beforeAll(async () => {
    dist = mkdtempSync(join(tmpdir(), 'guiche-dist-'))
    const outDir = join(dist, 'widget')
    await build({ configFile: 'vite.widget.config.ts', logLevel: 'error', build: { outDir, emptyOutDir: true } })
    served = await startProduct({ env: { WEB_DIST: dist } })
  })
  afterAll(async () => {
    await served.close()
    rmSync(dist, { recursive: true })
  })
  const get = (path: string, headers: Record<string, string> = {}) => fetch(served.address + path, { headers })

  it('is one small script that any site may load', async () => {
    const reply = await get('/widget/guiche.js', { 'accept-encoding': 'gzip, br' })
    expect(reply.headers.get('content-type')).toContain('javascript')
    expect(reply.headers.get('content-encoding')).toBe('br')
    expect(reply.headers.get('vary')).toContain('accept-encoding')
    const gzip = await get('/widget/guiche.js', { 'accept-encoding': 'gzip' })
    expect(gzip.headers.get('content-encoding')).toBe('gzip')
    expect(await gzip.text()).toBe(await reply.text())
    expect(reply.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    const known = { 'if-none-match': reply.headers.get('etag')!, 'cache-control': 'max-age=0' }
    const again = await get('/widget/guiche.js', { 'accept-encoding': 'gzip, br', ...known })
    expect(again.status).toBe(304)
  })

  it('is a frame that only the channel’s sites may show, with scripts by nonce', async () => {
    const policy = async (domains: string[]) => {
      const { channel } = await company(served, { domains })
      const reply = await get(`/widget/frame?token=${channel.token}`)
      expect(reply.headers.get('x-frame-options')).toBeNull()
      const [nonce] = /(?<=nonce-)[^']+/.exec(reply.headers.get('content-security-policy')!)!
      expect(await reply.text()).toContain(`nonce="${nonce}"`)
      return reply.headers.get('content-security-policy')
    }
    expect(await policy(['loja.com.br', '*.loja.com.br'])).toContain("frame-ancestors 'self' loja.com.br *.loja.com.br")
    expect(await policy([])).toMatch(/frame-ancestors \*$/)
    for (const token of ['nada', 'x'.repeat(43), 'x'.repeat(8000), '', 'a&token=b'])
      expect((await get(`/widget/frame?token=${token}`)).status).toBe(404)
  })

  it('keeps its assets for ever, and nothing else is served from there', async () => {
    const { channel } = await company(served)
    const html = await (await get(`/widget/frame?token=${channel.token}`)).text()
    const [asset] = /\/widget\/assets\/[^"]+\.js/.exec(html)!
    expect((await get(asset)).headers.get('cache-control')).toContain('immutable')
    for (const path of ['/widget/assets/..%2fframe.html', '/widget/assets/%2e%2e%2f%2e%2e%2fpackage.json']) {
      expect((await get(path)).status).toBe(404)
    }
  })
})
