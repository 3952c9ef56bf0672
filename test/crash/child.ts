import { Readable } from 'node:stream'
import pg from 'pg'
import '#test/channels/register.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { channelAdapters } from '#providers/channels/adapters.ts'
import { type ProviderEvent, sendFailure } from '#providers/channels/port.ts'
import { createApp } from '#server/app.ts'
import { databaseUrls } from '#server/db/roles.ts'
import { readEnv } from '#server/env.ts'
import { createLog } from '#server/log.ts'
import { secretsFrom } from '#server/secrets.ts'
import { handleUncaught } from '#server/uncaught.ts'
import { startWatchdog } from '#server/watchdog.ts'
import { testConfig } from '#test/channels/test/config.ts'
import { deadlyFeature, obeyDeadlyTexts } from './deadly.ts'

// Runs the product as a separate process that dies without notice at a named point (CRASH_AT) or, once it listens, before a
// statement that begins with some words (CRASH_BEFORE), after passing there CRASH_AFTER times; or that is frozen there, once
// (FREEZE_AT). Its channel's other end (PEER_URL) is a server of the test, which outlives the product, as a real provider
// does.
const { CRASH_AT, CRASH_BEFORE, CRASH_AFTER, FREEZE_AT, PEER_URL, WORKER, IDEMPOTENT } = process.env
let passes = Number(CRASH_AFTER ?? 0)
let wasFrozen = false
const pass = () => {
  if (passes-- <= 0) process.kill(process.pid, 'SIGKILL')
}
const env = readEnv()
const secrets = secretsFrom(Buffer.alloc(32, 7))
const log = createLog(env)
const app = await createApp({
  env,
  urls: databaseUrls(env.DATABASE_URL!, env, secrets),
  secrets,
  log,
  more: [deadlyFeature],
  checkpoint: (name) => {
    if (name === CRASH_AT) pass()
    if (name === FREEZE_AT && !wasFrozen) {
      wasFrozen = true
      process.kill(process.pid, 'SIGSTOP')
    }
  },
})

testConfig.capabilities.idempotentSending = IDEMPOTENT !== 'no'
channelAdapters['test'] = () => ({
  async send(message) {
    const response = await fetch(`${PEER_URL}/send`, {
      method: 'POST',
      body: JSON.stringify({ id: message.messageId, to: message.conversationKey, body: message.body, worker: WORKER }),
    }).catch(() => {
      throw sendFailure('unreachable', 'o outro lado não respondeu')
    })
    if (!response.ok) throw sendFailure('refused', String(response.status))
    return { providerId: message.messageId }
  },
  async download(pointer) {
    const { body } = await fetch(String(pointer))
    return Readable.fromWeb(body as never)
  },
  async act(action) {
    if (action.type !== 'edit') return
    const body = JSON.stringify({
      id: action.providerId,
      to: action.conversationKey,
      body: action.body,
      worker: WORKER,
    })
    await fetch(`${PEER_URL}/edit`, { method: 'POST', body }).catch(() => {
      throw sendFailure('unreachable', 'o outro lado não respondeu')
    })
  },
})

app.http.post<{ Body: { tenantId: number; connectionId: number; events: ProviderEvent[] } }>(
  '/test/hook',
  async (request) => {
    const { tenantId, connectionId, events } = request.body
    await receive(app.platform, { tenantId, connectionId }, events)
    return { received: events.length }
  },
)
// As at the product's own end: running work ends first, within a time limit.
process.once('SIGTERM', () => {
  setTimeout(() => process.exit(1), 25_000).unref()
  void app.close().then(() => process.exit(0))
})
handleUncaught(log, () => app.close())
startWatchdog(env.LOOP_LIMIT_MS, log)
obeyDeadlyTexts()
const address = await app.listen()
if (CRASH_BEFORE) {
  const { query } = pg.Client.prototype
  const isMeant = (text: string) => text.replaceAll('"', '').trimStart().startsWith(CRASH_BEFORE)
  pg.Client.prototype.query = function (this: pg.Client, ...args: [{ text?: string } | string, ...unknown[]]) {
    const text = typeof args[0] === 'string' ? args[0] : args[0]?.text
    if (text && isMeant(text)) pass()
    return query.apply(this, args as never)
  } as typeof query
}
console.log(`listening ${address}`)
