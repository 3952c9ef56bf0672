import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { io, type Socket } from 'socket.io-client'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { auth } from '#features/auth/contract.ts'
import { messages } from '#features/messages/contract.ts'
import { queues } from '#features/queues/contract.ts'
import { userEvents } from '#features/users/contract.ts'
import { unit } from '#server/context.ts'
import { signAccessToken, verifyAccessToken } from '#server/http/access-token.ts'
import { make, PASSWORD } from '#test/make.ts'
import { testChannel } from '#test/peers/channel.ts'
import { call, ownProduct } from '#test/server.ts'
import { until } from '#test/until.ts'

let clock = Date.now()
const product = ownProduct('counts every line', { now: () => new Date(clock) })
const made = () => make(product().platform)
const open: Socket[] = []
let tenantId: number
let other: number
let admin: { id: number; tenantId: number; email: string }

beforeAll(async () => {
  testChannel(product().platform)
  tenantId = await made().tenant()
  other = await made().tenant()
  admin = await made().user(tenantId, { profile: 'admin' })
})
afterEach(() => {
  clock = Date.now()
  for (const socket of open.splice(0)) socket.close()
})

/** Opens a browser's socket; `began` is 'connect' or the server's refusal. */
async function connect(token: unknown, path = ''): Promise<{ socket: Socket; began: string; heard: unknown[] }> {
  const socket = io(product().address + path, {
    auth: { token },
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
  })
  open.push(socket)
  const heard: unknown[] = []
  socket.onAny((name, payload) => heard.push([name, payload]))
  const began = await new Promise<string>((resolve) => {
    socket.on('connect', () => resolve('connect'))
    socket.on('connect_error', (error) => resolve(error.message))
  })
  return { socket, began, heard }
}

const addQueue = async (token: string) =>
  call(product(), queues.create, token, { body: { queue: `Fila ${randomUUID()}` } })

describe('a socket', () => {
  it('opens with a token that is good, and says why not', async () => {
    const good = await made().token(admin)
    expect((await connect(good)).began).toBe('connect')
    const [head, body, signature] = good.split('.') as [string, string, string]
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString())
    const forged = (change: object) => Buffer.from(JSON.stringify({ ...claims, ...change })).toString('base64url')
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    for (const bad of [
      undefined,
      null,
      {},
      ['x'],
      'x',
      `${head}.${forged({ tenantId: other })}.${signature}`,
      `${head}.${forged({ exp: claims.exp + 9e6 })}.${signature}`,
      `${none}.${body}.`,
      `${good}x`,
    ])
      expect([bad, (await connect(bad)).began]).toEqual([bad, 'authentication error'])
    clock += 16 * 60_000
    expect((await connect(good)).began).toBe('authentication error')
  })

  it('hears nothing of another company, whatever it asks for', async () => {
    const { socket, heard } = await connect(await made().token(admin))
    for (const name of ['join', 'subscribe', 'room', `${other}:ticketList`, 'joinChatBox'])
      socket.emit(name, `t${other}`, `t${other}:u1`)
    const boss = await made().user(other, { profile: 'admin' })
    const bossToken = await made().token(boss)
    const stranger = await connect(bossToken)
    expect((await addQueue(bossToken)).status).toBe(200)
    await until(() => stranger.heard.length > 0)
    await wait(100)
    expect(heard).toEqual([])
  })

  it('is closed a minute after its token’s end unless the token was renewed', async () => {
    const renewing = await connect(await made().token(admin))
    const silent = await connect(await made().token(admin))
    const foreign = await made().token(await made().user(tenantId))
    clock += 15 * 60_000 + 50_000
    const renewed = await made().token(admin)
    const renew = (token: unknown) => renewing.socket.timeout(3000).emitWithAck('renew', token)
    expect(await renew(foreign)).toBe(false)
    expect(await renew('x')).toBe(false)
    expect(await renew({})).toBe(false)
    expect(await renew(renewed)).toBe(true)
    await wait(5500)
    expect([renewing.socket.connected, silent.socket.connected]).toEqual([true, true])
    clock += 20_000
    await until(() => !silent.socket.connected)
    expect(renewing.socket.connected).toBe(true)
  })

  it('is closed at once when its session ends', async () => {
    const entered = await call(product(), auth.login, null, { body: { email: admin.email, password: PASSWORD } })
    const { socket } = await connect((entered.body as { token: string }).token)
    const elsewhere = await connect(await made().token(admin))
    const cookie = entered.headers.getSetCookie()[0]!.split(';')[0]!
    await call(product(), auth.logout, null, { headers: { cookie } })
    await until(() => !socket.connected)
    expect(elsewhere.socket.connected).toBe(true)
  })

  it('follows a change of role and of queues without a new connection', async () => {
    const m = made()
    const queueId = await m.queue(tenantId)
    const connectionId = await m.connection(tenantId, { type: 'test' })
    const agent = await m.user(tenantId, { queues: [queueId] })
    product().platform.settings.delete(`${tenantId}`) // the company's first queue changes who sees what
    const about = { connection_id: connectionId, channel: 'test', user_id: agent.id, queue_id: queueId }
    const ticketId = await m.ticket(tenantId, about)
    const watcher = await m.user(tenantId, { profile: 'admin' })
    const { heard, socket } = await connect(await m.token(watcher))
    const writer = await m.token(agent)
    const note = () =>
      call(product(), messages.send, writer, {
        params: { ticketId },
        body: { idFront: randomUUID(), body: 'nota', isNote: true },
      })
    await note()
    await until(() => heard.length > 0)
    await product().platform.db.asPlatform((db) =>
      db.updateTable('users').set({ profile: 'user' }).where('id', '=', watcher.id).execute(),
    )
    await unit(product().platform, { tenantId, user: null }, async (ctx) => {
      ctx.stale(`actors ${tenantId}:${watcher.id}`)
      ctx.emit(userEvents.changed, { userId: watcher.id }, { kind: 'tenant' })
    })
    const known = () => heard.length
    // All events to this socket: the change, what it may see from now on, and what it no longer sees.
    const changes = ['user:changed', 'standing:changed', 'ticket:gone']
    await until(() => changes.every((type) => JSON.stringify(heard).includes(type)))
    const before = known()
    await note()
    await wait(300)
    expect(heard.slice(before)).toEqual([])
    expect(socket.connected).toBe(true)
  })

  it('that joins while an event is being judged does not get what was judged for others', async () => {
    const m = made()
    const company = await m.tenant()
    const boss = await m.user(company, { profile: 'admin' })
    const agent = await m.user(company, { queues: [await m.queue(company)] })
    const [bossToken, agentToken] = [await m.token(boss), await m.token(agent)]
    const first = await connect(bossToken)
    // While the permission check loads the users, a socket without permission connects.
    const { actors } = product().platform
    const read = actors.get
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let isHolding = true
    actors.get = async (key) => {
      const value = await read(key)
      if (isHolding && key === `${company}:${boss.id}`) await held
      return value
    }
    try {
      const message = { id: 1 }
      product().platform.bus.publish(company, {
        channel: 'lab',
        type: 'x',
        payload: message,
        audience: { kind: 'permission', permission: 'lab:use' },
      })
      const second = await connect(agentToken)
      isHolding = false
      release()
      await until(() => first.heard.length > 0)
      await wait(100)
      expect(second.heard).toEqual([])
    } finally {
      actors.get = read
      release()
    }
  })
})

describe('a hostile socket', () => {
  it('cannot end the server with odd arguments', async () => {
    const token = await made().token(admin)
    const { socket } = await connect(token)
    const crashes: unknown[] = []
    const note = (error: unknown) => crashes.push(error)
    process.on('unhandledRejection', note)
    for (const args of [[token, 'x'], [token, 1], [token, {}], [], [null, null], [token], [[token]], [{ token }]])
      socket.emit('renew', ...args)
    socket.emit('renew', token, { toString: 1 })
    socket.emit(`${tenantId}:setUserActive`, { a: 1 }, 'x')
    await wait(300)
    process.off('unhandledRejection', note)
    expect(crashes).toEqual([])
    expect(await socket.timeout(2000).emitWithAck('renew', token)).toBe(true)
  })

  it.each([
    ['', 'token'],
    ['/webchat', 'none'],
  ])('that floods is put out, the others stay (%s)', async (path) => {
    const token = await made().token(admin)
    const calm = await connect(token)
    const wild = await connect(token)
    const socket = path
      ? io(product().address + path, { auth: {}, transports: ['websocket'], forceNew: true })
      : wild.socket
    open.push(socket)
    if (path) {
      // Without a visitor's token there is no socket to speak of: asking for one again and again is the flood.
      const raw = new WebSocket(`${product().address.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`)
      await new Promise((resolve) => raw.addEventListener('open', resolve))
      const closed = new Promise((resolve) => raw.addEventListener('close', resolve))
      for (let n = 0; n < 2000; n++) raw.send('40/webchat,{}')
      await closed
    } else {
      for (let n = 0; n < 2000; n++) socket.emit('renew', token)
      await until(() => !socket.connected)
    }
    expect(calm.socket.connected).toBe(true)
    expect(await calm.socket.timeout(2000).emitWithAck('renew', token)).toBe(true)
  })

  it('that sends too much at once is put out', async () => {
    const token = await made().token(admin)
    const { socket } = await connect(token)
    socket.emit('renew', 'x'.repeat(300 * 1024))
    await until(() => !socket.connected)
  })

  it('that does not read is dropped before a megabyte or two waits for it', async () => {
    const m = made()
    const company = await m.tenant()
    const user = await m.user(company, { profile: 'admin' })
    const token = await m.token(user)
    const reading = await connect(token)
    // A client that goes silent: the system's buffers fill first, then ours.
    const { connect: open } = await import('node:net')
    const { hostname, port } = new URL(product().address)
    const line = open(Number(port), hostname)
    line.write(
      `GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nhost: ${hostname}:${port}\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${Buffer.alloc(16).toString('base64')}\r\n\r\n`,
    )
    await new Promise((resolve) => line.once('data', resolve))
    const text = Buffer.from(`40${JSON.stringify({ token })}`)
    const mask = Buffer.from([1, 2, 3, 4])
    const head = Buffer.from([0x81, 0xfe, text.length >> 8, text.length & 255])
    line.write(Buffer.concat([head, mask, text.map((byte, n) => byte ^ mask[n % 4]!)]))
    const { io } = product().app
    const mine = () => [...io.sockets.sockets.values()].filter((one) => one.data.userId === user.id)
    await until(() => mine().length === 2)
    line.pause()
    const payload = { text: 'x'.repeat(50_000) }
    const tell = () =>
      product().platform.bus.publish(company, { channel: 'x', type: 'x', payload, audience: { kind: 'tenant' } })
    let told = 0
    for (let n = 0; n < 600 && mine().length === 2; n++, told++) {
      tell()
      await wait(2)
    }
    await until(() => mine().length === 1)
    await until(() => reading.heard.length === told)
    expect(reading.socket.connected).toBe(true)
    line.destroy()
  })
})

it('an access token is what the server signed and nothing else', async () => {
  const { platform } = product()
  const claims = {
    userId: admin.id,
    tenantId,
    sessionId: randomUUID(),
    tokenVersion: 1,
    username: 'x',
    profile: 'admin',
  }
  const token = await signAccessToken(platform, claims)
  expect(await verifyAccessToken(platform, token)).toMatchObject({ userId: admin.id, tenantId })
  // A token verified once is remembered, but not by an installation with another key.
  const stranger = { ...platform, secrets: { ...platform.secrets, accessToken: Buffer.alloc(32, 9) } }
  expect(await verifyAccessToken(stranger, token)).toBeNull()
})
