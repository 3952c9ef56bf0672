import { afterEach, expect, test } from 'vitest'
import { type Chat, startTelegram } from '#test/peers/telegram/bot-api.ts'
import { until } from '#test/until.ts'
import { type ChannelTools, type Link, type ProviderEvent, stopCauseOf } from '../port.ts'
import { telegramAdapter } from './adapter.ts'
import { isCallable } from './life.ts'

const ANA: Chat = { id: 77_100_300, type: 'private', first_name: 'Ana' }
const CALLED = 'https://guiche.example/api/hooks/x'
const ends: (() => Promise<unknown>)[] = []
afterEach(() => Promise.all(ends.splice(0).map((end) => end())))

/** Opens a bot at a Telegram stand-in; its updates are committed when the test says so. */
async function opened({ url = 'http://guiche.example/x', before = (_: Peer) => {} } = {}) {
  const telegram = await startTelegram({ resolve: () => 'http://127.0.0.1:1' })
  telegram.chats.set(ANA.id, ANA)
  before(telegram)
  const fetchBy: ChannelTools['fetch'] = async (address, { method = 'GET', headers = {}, body, signal } = {}) => {
    const about = { method, headers, ...(signal ? { signal } : {}) }
    const answer = await fetch(address, { ...about, ...(body === undefined ? {} : { body: body as string }) })
    return {
      ...{ url: address, status: answer.status, headers: Object.fromEntries(answer.headers) },
      body: new Uint8Array(await answer.arrayBuffer()),
    }
  }
  const tools = {
    ...{ fetch: fetchBy, environment: { TELEGRAM_API_URL: telegram.address }, now: () => new Date(1_761_040_900_000) },
    ...{ door: { url, name: 'g', secret: 'segredo' }, log: { warn() {} } },
  } as Partial<ChannelTools> as ChannelTools
  const adapter = telegramAdapter({ tokenTelegram: telegram.state.token }, tools)
  const emits: { events: readonly ProviderEvent[]; commit: () => void; fail: (error: Error) => void }[] = []
  const statuses: string[] = []
  const link = {
    emit: (events) => new Promise<void>((commit, fail) => void emits.push({ events, commit, fail })),
    status: async (status) => void statuses.push(status),
    caughtUp: async () => {},
    awaySince: async () => null,
  } as Partial<Link> as Link
  const ended: { error?: unknown } = {}
  const life = adapter.open!(link).catch((error: unknown) => void Object.assign(ended, { error }))
  ends.push(async () => {
    await adapter.close!()
    for (const { commit } of emits) commit()
    await telegram.close()
    await life
  })
  await until(() => statuses.length > 0)
  const offsets = () =>
    telegram.calls.flatMap(({ method, payload }) => (method === 'getUpdates' ? [Number(payload['offset'])] : []))
  return { telegram, adapter, emits, ended, offsets }
}
type Peer = Awaited<ReturnType<typeof startTelegram>>

/** Waits for the time in which nothing may happen before a commit. */
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 50))

test('updates are let go, and presses answered, only once they are in the journal', async () => {
  const { telegram, emits, offsets } = await opened()
  telegram.say(ANA, { text: 'Oi' })
  const message = { message_id: 1, chat: ANA, date: 1 }
  await until(() => emits.length === 1)
  telegram.delivery.push({ callback_query: { id: 'aperto', from: ANA, message, data: 'x' } })
  await aWhile()
  expect(offsets().every((offset) => offset === 0)).toBe(true)
  emits[0]!.commit()
  await until(() => emits.length === 2)
  expect(offsets().at(-1)).toBe(700_002)
  await aWhile()
  expect(telegram.answered).toEqual([])
  emits[1]!.commit()
  await until(() => telegram.answered.includes('aperto'))
})

test('what could not be written is let go neither, and comes again with the next opening', async () => {
  const { telegram, emits, ended, offsets } = await opened()
  telegram.say(ANA, { text: 'Oi' })
  await until(() => emits.length === 1)
  emits[0]!.fail(new Error('the database is away'))
  await until(() => ended.error !== undefined)
  expect(offsets().every((offset) => offset === 0)).toBe(true)
  expect(telegram.delivery.pending).toHaveLength(1)
})

test('one refusal because somebody else asks is perhaps our own last question; three in a row are another program', async () => {
  const { telegram, adapter, ended } = await opened()
  const elsewhere = () => telegram.delivery.getUpdates({ timeout: 30, offset: 0 }, new AbortController().signal)
  /** Number of our long polls (`waits`), and of polls that another program interrupted (`refusals`). */
  const waits = () => telegram.calls.filter(({ payload }) => Number(payload['timeout'] ?? 0) > 0).length
  const refusals = () => telegram.calls.filter(({ method }) => method === 'getWebhookInfo').length
  for (const n of [1, 2, 3]) {
    await until(() => waits() === n)
    expect(ended.error).toBeUndefined()
    // A new request ends the waiting one.
    void elsewhere()
    await until(() => refusals() === n)
    if (n < 3) adapter.look!()
  }
  await until(() => ended.error !== undefined)
  expect(stopCauseOf(ended.error)).toBe('replaced')
})

test('Telegram is told to call once at a time, with the secret, and of what', async () => {
  const { telegram } = await opened({ url: CALLED })
  const told = telegram.calls.filter(({ method }) => method === 'setWebhook').map(({ payload }) => payload)
  expect(told).toEqual([
    {
      ...{ url: CALLED, max_connections: 1, secret_token: 'segredo' },
      allowed_updates: ['message', 'edited_message', 'callback_query', 'message_reaction', 'my_chat_member'],
    },
  ])
  expect(telegram.calls.some(({ method }) => method === 'getUpdates')).toBe(false)
})

test('whom it called before it calls no more where it is asked', async () => {
  const { telegram, emits } = await opened({
    before: (peer) => void peer.delivery.setWebhook({ url: 'https://outro.example/x' }),
  })
  telegram.say(ANA, { text: 'Oi' })
  await until(() => emits.length === 1)
  expect(emits[0]!.events).toMatchObject([{ type: 'message', message: { body: 'Oi' } }])
})

test('a file that is to be asked for later says when; one that is there no more is refused', async () => {
  const { telegram, adapter } = await opened()
  telegram.faults.slowedFile = 70
  const download = (fileId: string) => adapter.download!({ fileId }).catch((error: unknown) => error)
  expect(await download('foto')).toMatchObject({ kind: 'unreachable', waitSeconds: 70 })
  expect(await download('foto')).toMatchObject({ kind: 'refused' })
})

test('the text of a file is changed as what stands below it, and the same once more changes nothing', async () => {
  const { telegram, adapter } = await opened()
  const about = { reaction: null, quotes: null, data: null, file: null, keyboard: [], entities: [] }
  telegram.got.push({ ...about, id: 500, chatId: ANA.id, method: 'sendDocument', body: 'Antes' })
  const of = { tenantId: 1, connectionId: 1, conversationKey: String(ANA.id), author: null, mentions: null }
  const providerId = `${telegram.bot.id}/${ANA.id}/500`
  for (let n = 0; n < 2; n++) await adapter.act!({ ...of, type: 'edit', providerId, body: 'Depois' })
  expect(telegram.got[0]).toMatchObject({ body: 'Depois' })
})

test.each([
  ['https://a.example/x', true],
  ['https://a.example:8443/x', true],
  ['https://a.example:88/x', true],
  ['https://a.example:8444/x', false],
  ['http://a.example/x', false],
  [null, false],
])('whether Telegram calls %s: %s', (url, is) => {
  expect(isCallable(url)).toBe(is)
})
