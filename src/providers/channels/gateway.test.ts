import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { evolutionAdapter } from './evolution/adapter.ts'
import { readCall as readEvolution } from './evolution/inbound.ts'
import { type GatewayPhone, gatewayLife, type PhoneState, phoneFailureOf } from './gateway.ts'
import { failureOf, GatewayRefusal, problemOf } from './gateway-calls.ts'
import {
  type ChannelTools,
  type Link,
  type MakeChannelAdapter,
  type Outbound,
  type StateValue,
  stopCauseOf,
  type WebhookResult,
} from './port.ts'
import { uazapiAdapter } from './uazapi/adapter.ts'
import { readCall as readUazapi } from './uazapi/inbound.ts'
import { readCall as readWuzapi } from './wuzapi/inbound.ts'
import { readCall as readZapi } from './zapi/inbound.ts'

const door = { url: 'https://guiche.example/api/hooks/x', name: 'guiche-1', secret: 's' }
const gateway = { name: 'o gateway', url: 'https://gateway.example', headers: {} }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Opens a connection whose phone the test controls; `isLinked`: it was linked before. */
function opened({ isLinked = true } = {}) {
  const is = { state: { is: 'open', number: '5519' } as PhoneState | Error, calls: '', read: 0, groupsMs: 0 }
  const did: string[] = []
  const phone: GatewayPhone = {
    make: async () => void did.push('make'),
    async state() {
      if (is.state instanceof Error) throw is.state
      return is.state
    },
    code: async (pairing) => ({
      ...(pairing ? { pairingCode: 'ABCD1234' } : { qrcode: `2@${did.length}` }),
      seconds: 45,
    }),
    callsUs: async (url) => is.calls === url,
    async setWebhook(url) {
      did.push('webhook')
      is.calls = url
    },
    logout: async () => void did.push('logout'),
    async groups() {
      is.read++
      await new Promise((resolve) => setTimeout(resolve, is.groupsMs))
      return []
    },
  }
  const stored = new Map<string, StateValue>(isLinked ? [['linked', true]] : [])
  const link = {
    emit: async (_events, changes = new Map()) => {
      for (const [name, value] of changes) stored.set(name, value!)
    },
    state: { get: async () => stored, clear: async () => {} },
    status: async (status) => void did.push(status),
    caughtUp: async () => {},
    pairing: null,
  } as Partial<Link> as Link
  const life = gatewayLife(gateway, phone, { door, now: () => new Date(0), log: { warn() {} } })
  const ended: { error?: unknown } = {}
  void life.open(link).then(
    () => Object.assign(ended, { error: null }),
    (error: unknown) => Object.assign(ended, { error }),
  )
  const later = (ms: number) => vi.advanceTimersByTimeAsync(ms)
  const stopped = () => stopCauseOf(ended.error)
  return { is, did, stored, life, ended, later, stopped }
}

test('a phone is asked for each minute, and its webhook looked at each ten, and set again', async () => {
  const { is, did, life, ended, later } = opened()
  await later(0)
  expect(did).toEqual(['webhook', 'CONNECTED'])
  is.calls = 'https://somebody.else'
  await later(9 * 60_000)
  expect(did).toHaveLength(2)
  await later(2 * 60_000)
  expect(did).toEqual(['webhook', 'CONNECTED', 'webhook'])
  is.state = new Error('no answer')
  await later(61_000)
  expect(ended.error).toMatchObject({ message: 'no answer' })
  await life.close()
})

test('a new phone is made, called back and linked by its code, and remembered', async () => {
  const { is, did, stored, life, later } = opened({ isLinked: false })
  is.state = { is: 'closed' }
  await later(0)
  expect(did).toEqual(['make', 'webhook', 'qrcode'])
  is.state = { is: 'open' }
  // Reported by webhook, before the next poll.
  life.look()
  await later(0)
  expect(did.at(-1)).toBe('CONNECTED')
  expect(stored.get('linked')).toBe(true)
  await life.close()
})

test.each([
  ['is gone', { is: 'gone' }, 5000],
  ['stays closed', { is: 'closed' }, 26_000],
] as const)('a phone that was linked and %s waits for a person', async (_, state, ms) => {
  const { is, life, later, stopped } = opened()
  is.state = state
  await later(ms)
  expect(stopped()).toBeNull()
  await later(1000)
  expect(stopped()).toBe('unlinked')
  await life.close()
})

test('one that comes back by itself is waited for, and one that does not is tried anew', async () => {
  const back = opened()
  back.is.state = { is: 'opening' }
  await back.later(6000)
  back.is.state = { is: 'open' }
  await back.later(3000)
  expect(back.did.at(-1)).toBe('CONNECTED')
  await back.life.close()
  const never = opened()
  never.is.state = { is: 'opening' }
  await never.later(61_000)
  expect(never.ended.error).toBeInstanceOf(Error)
  expect(never.stopped()).toBeNull()
})

test('however much happens in groups, they are read for a tenth of the time, and once more at the end', async () => {
  const { is, life, later } = opened()
  is.groupsMs = 1000
  for (let second = 0; second < 60; second++) {
    await later(1000)
    life.look()
  }
  const during = is.read
  expect(during).toBeGreaterThan(5)
  expect(during).toBeLessThan(8)
  await later(120_000)
  expect(is.read).toBe(during + 1)
  await life.close()
})

test('a key that is worth nothing any more stops the connection within a minute', async () => {
  const { is, later, stopped } = opened()
  await later(0)
  is.state = new GatewayRefusal(401, {})
  await later(60_000)
  expect(stopped()).toBe('token')
})

test('without an address of its own nothing is begun, and that is said', async () => {
  const life = gatewayLife(gateway, {} as GatewayPhone, {
    ...{ door: { ...door, url: null }, now: () => new Date(0), log: { warn() {} } },
  })
  expect(await life.test()).toMatchObject({ ok: false, problem: expect.stringContaining('PUBLIC_URL') })
  await expect(life.setWebhook()).rejects.toMatchObject({ kind: 'refused' })
})

test('what a gateway refuses is said in a sentence that begins as one', () => {
  const wuzapi = { ...gateway, name: 'a WuzAPI' }
  expect(problemOf(new GatewayRefusal(401, {}), wuzapi)).toBe('A WuzAPI não aceitou a chave. Confira-a.')
  expect(problemOf(new GatewayRefusal(404, {}), wuzapi)).toMatch(/^Em gateway.example não responde a WuzAPI/)
  expect(failureOf(new GatewayRefusal(401, {}), wuzapi)).toMatchObject({
    ...{ kind: 'unreachable', stops: 'token', message: 'A WuzAPI não aceita mais a chave.' },
  })
  expect(failureOf(new GatewayRefusal(502, {}), wuzapi)).toMatchObject({ kind: 'unknown' })
})

test('a phone that is away has sent nothing, whatever the gateway calls that; a number that is none is refused', () => {
  for (const [status, answer] of [
    [500, { response: { message: 'Connection Closed' } }],
    [400, { response: { message: ['Error: Connection Closed'] } }],
    [500, { error: 'no session' }],
    [500, { error: 'session is not connected' }],
    [400, { error: 'You need to be connected.' }],
  ] as const)
    expect(phoneFailureOf(new GatewayRefusal(status, answer), gateway)).toMatchObject({ kind: 'unreachable' })
  expect(phoneFailureOf(new GatewayRefusal(400, { error: 'Phone does not exist' }), gateway).kind).toBe('refused')
  // The error concerns Signal sessions, not the phone's connection.
  expect(phoneFailureOf(new GatewayRefusal(500, { error: 'No sessions' }), gateway).kind).toBe('unknown')
  expect(phoneFailureOf(new GatewayRefusal(401, { error: 'not connected' }), gateway)).toMatchObject({ stops: 'token' })
})

test('a phone that went before WhatsApp confirmed what it had passed on may have sent it, with whatever status', () => {
  const answer = { error: 'websocket disconnected before message send returned response' }
  for (const status of [500, 503, 400])
    expect(phoneFailureOf(new GatewayRefusal(status, answer), gateway).kind).toBe('unknown')
  expect(phoneFailureOf(new GatewayRefusal(401, answer), gateway)).toMatchObject({ stops: 'token' })
})

/** Creates a gateway's adapter with these responses to its calls. */
const asked = (make: MakeChannelAdapter, answer: (path: string, body: unknown) => readonly [number, unknown]) =>
  make({}, {
    ...{ settings: { url: 'https://gateway.example', key: 'k' }, door, now: () => new Date(0), log: { warn() {} } },
    fetch: async (address, { body } = {}) => {
      const [status, told] = answer(new URL(address).pathname, body && JSON.parse(String(body)))
      return { url: address, status, headers: {}, body: Buffer.from(JSON.stringify(told)) }
    },
  } as Partial<ChannelTools> as ChannelTools)
const text = { conversationKey: '5511', type: 'text', body: 'Oi', messageId: 'm' } as Partial<Outbound> as Outbound

test('Evolution answers 400 also where something broke after the message may have left: then nobody knows', async () => {
  const sent = (message: unknown) => asked(evolutionAdapter, () => [400, { response: { message } }]).send(text)
  await expect(sent(['PrismaClientKnownRequestError: x'])).rejects.toMatchObject({ kind: 'unknown' })
  await expect(sent(['instance requires property "number"'])).rejects.toMatchObject({ kind: 'refused' })
  await expect(sent([{ jid: '5511', exists: false }])).rejects.toMatchObject({ message: 'ERR_WAPP_INVALID_CONTACT' })
})

test.each<[string, MakeChannelAdapter, object]>([
  ['Evolution, with files in its calls', evolutionAdapter, { webhookBase64: true }],
  ['Uazapi, with the event in its address', uazapiAdapter, { addUrlEvents: true }],
  ['Uazapi, without what is sent here', uazapiAdapter, { excludeMessages: ['wasSentByApi'] }],
  ['either as it was set', evolutionAdapter, {}],
])('a webhook that is set otherwise is set again: %s', async (_, make, otherwise) => {
  const did: string[] = []
  let events: string[] = []
  const ours = () => ({ url: door.url, enabled: true, events, webhookByEvents: false, ...otherwise })
  const adapter = asked(make, (path, body) => {
    if (/connectionState/.test(path)) return [200, { instance: { state: 'open' } }]
    if (path === '/instance/status') return [200, { instance: {}, status: { connected: true, loggedIn: true } }]
    if (path === '/instance/all') return [200, [{ name: door.name, token: 't' }]]
    const set = (body as { webhook?: { events: string[] } })?.webhook ?? (body as { events?: string[] })
    if (!/webhook/.test(path)) return [200, []]
    if (!set?.events) return [200, ours()]
    did.push('set')
    events = set.events
    return [200, {}]
  })
  // Once, so that it knows our events; then it checks whether all is as set.
  await adapter.setWebhook!()
  const state = { get: async () => new Map([['linked', true]]), clear: async () => {} }
  const link = { state, caughtUp: async () => {} }
  const status = async () => void did.push('CONNECTED')
  const emit = async () => {}
  void adapter.open!({ ...link, status, emit } as Partial<Link> as Link).catch(() => {})
  await vi.advanceTimersByTimeAsync(10)
  await adapter.close!()
  expect(did).toEqual(['set', ...(Object.keys(otherwise).length > 0 ? ['set'] : []), 'CONNECTED'])
})

const bytes = (told: object) => Buffer.from(JSON.stringify(told))
const ana = '5519998124407@s.whatsapp.net'

/** Webhook calls of each gateway about a message to a broadcast list. */
const toList: Readonly<Record<string, (list: string, fromMe: boolean) => WebhookResult>> = {
  Evolution: (remoteJid, fromMe) =>
    readEvolution(
      bytes({
        ...{ event: 'messages.upsert', instance: door.name },
        data: {
          key: { id: 'A1', remoteJid, participant: '1000@lid', remoteJidAlt: ana, fromMe },
          ...{ message: { conversation: 'Aviso' }, messageTimestamp: 1 },
        },
      }),
      ...([door.name, new Date(0)] as const),
    ),
  WuzAPI: (Chat, IsFromMe) =>
    readWuzapi(
      {
        ...{ method: 'POST', url: '', query: {}, headers: {} },
        body: bytes({
          ...{ type: 'Message', instanceName: door.name, token: door.secret },
          event: {
            Info: { ID: 'A1', Chat, Sender: ana.replace('@', ':7@'), IsFromMe, Timestamp: '2026-07-01T10:00:00Z' },
            Message: { conversation: 'Aviso' },
          },
        }),
      },
      ...([door, new Date(0)] as const),
    ),
  Uazapi: (chatid, fromMe) =>
    readUazapi(
      bytes({
        ...{ EventType: 'messages', instanceName: door.name },
        message: { messageid: 'A1', chatid, sender: ana, fromMe, messageType: 'Conversation', text: 'Aviso' },
      }),
      ...([door, new Date(0)] as const),
    ),
  // The gateway names the author, with a flag that the message was to a list.
  'Z-API': (list, fromMe) =>
    readZapi(
      bytes({
        ...{ type: 'ReceivedCallback', instanceId: 'A', messageId: 'A1', broadcast: true, fromMe },
        ...{ phone: list.startsWith('status') || fromMe ? list : '5519998124407', text: { message: 'Aviso' } },
      }),
      ...(['A', new Date(0)] as const),
    ),
}

test.each(Object.entries(toList))('what somebody sent to a list of people stands with them: %s', (_, told) => {
  expect(told('5511700@broadcast', false)).toMatchObject({
    events: [{ event: { type: 'message', conversationKey: '5519998124407', message: { body: 'Aviso' } } }],
  })
  expect(told('status@broadcast', false)).toMatchObject({ events: [] })
  // The recipients of the company's own lists are unknown.
  expect(told('5511700@broadcast', true)).toMatchObject({ events: [] })
})
