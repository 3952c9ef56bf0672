import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect } from 'vitest'
import { random } from '#domain/random.ts'
import type { ProviderEvent } from '#providers/channels/port.ts'
import { make } from '#test/make.ts'
import { textEvent } from '#test/peers/channel.ts'
import { createDatabase, startProduct } from '#test/server.ts'
import { query, startChild, startPeer, stop } from './processes.ts'

/** Points at which the product may be killed while flows attend: named ones, and before each statement that writes. */
export const flowPoints = [
  'journal committed',
  'flow session stored',
  'flow carried out',
  'before ingest commit',
  'flow call answered',
  'provider accepted',
  ...([
    'before: insert into flow_sessions',
    'before: update flow_sessions',
    'before: insert into flow_events',
    'before: insert into flow_steps',
    'before: insert into messages',
    'before: update tickets',
    'before: select app.add_jobs',
    'before: commit',
  ] as const),
] as const

/** Number of messages that arrive at once, so that forty conversations pass each point about twenty times. */
const AT_ONCE = 2

const LIMIT_MS = 300_000
/**
 * Maximum number of additional waves: a slow machine handles many messages at once, so a point is passed less often, and
 * more conversations begin.
 */
const MOST_WAVES = 10

/**
 * Runs conversations through a flow with an outside call and a delay, while the product is killed at a point: each message
 * of the flow must reach the customer once, in order, and each ticket the flow's queue.
 */
export async function crashFlows(
  point: (typeof flowPoints)[number],
  { times, conversations, seed }: { times: number; conversations: number; seed: number },
): Promise<void> {
  const databaseUrl = await createDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'guiche-flows-'))
  const peer = await startPeer()
  const shop = createServer((_, response) => response.end('{"total":"7"}'))
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
  const shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/`
  const { tenantId, connectionId, queueId } = await prepare(databaseUrl, shopUrl)
  const all: string[] = []
  let child: Awaited<ReturnType<typeof startChild>> | null = null
  let deaths = 0
  let starts = 0
  let chance = seed
  const start = async () => {
    // At another moment each time.
    const drawn = random(chance)
    chance = drawn.seed
    const [kind, statement] = point.startsWith('before: ') ? ['CRASH_BEFORE', point.slice(8)] : ['CRASH_AT', point]
    // Work on which process after process dies alone would be set aside, so every third process passes the point a few
    // times.
    const passes = starts++ % 3 === 2 ? 4 : Math.floor(drawn.value * 3)
    const extra: Record<string, string> = deaths < times ? { [kind]: statement, CRASH_AFTER: String(passes) } : {}
    const env = {
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      PEER_URL: peer.url,
      OUTBOUND_ALLOW: '127.0.0.1',
      ...extra,
    }
    const next = await startChild(env)
    next.process.once('exit', () => {
      child = null
    })
    child = next.address === null ? null : next
    if (child === null) deaths++
    else next.process.once('exit', (_, signal) => void (signal === 'SIGKILL' && deaths < times && deaths++))
  }
  const until = async (isDone: () => boolean) => {
    const end = Date.now() + LIMIT_MS
    while (!isDone() && Date.now() < end) {
      if (!child) await start()
      await setTimeout(20)
    }
    expect(isDone(), `${point}: ${JSON.stringify(peer.held)}`).toBe(true)
  }
  const write = async (people: readonly string[], text: string) => {
    const events = people.map((from) => textEvent({ from, body: text, id: `${from}-${text}` }))
    for (let n = 0; n < events.length; n += AT_ONCE) await tell(events.slice(n, n + AT_ONCE))
  }
  const tell = async (events: readonly ProviderEvent[]) => {
    let isTaken = false
    while (!isTaken) {
      if (!child) await start()
      // The waiting work may have killed it before it listened.
      const address = child?.address
      const body = JSON.stringify({ tenantId, connectionId, events })
      const headers = { 'content-type': 'application/json' }
      const response =
        address && (await fetch(`${address}/test/hook`, { method: 'POST', headers, body }).catch(() => null))
      isTaken = response ? response.ok : false
      if (!isTaken) await setTimeout(20)
    }
  }
  const talk = async (people: readonly string[]) => {
    const has = (count: number) => () => people.every((from) => (peer.held[from]?.length ?? 0) >= count)
    await write(people, 'oi')
    await until(has(1))
    await write(people, 'pedido')
    await until(has(2))
    await write(people, 'fim')
    await until(has(4))
  }
  try {
    for (let wave = 0; wave < MOST_WAVES && (wave === 0 || deaths < times); wave++) {
      const people = Array.from(
        { length: conversations },
        (_, n) => `5531900${String(wave * 1000 + n).padStart(6, '0')}`,
      )
      all.push(...people)
      await talk(people)
    }
    expect(deaths).toBe(times)
    for (const from of all) expect([from, peer.held[from]]).toEqual([from, ['Olá', 'Total 7', 'Anotado', 'Já vamos']])
    const rows = await query(databaseUrl, async (client) => {
      const { rows } = await client.query(
        'select queue_id::int as queue, chat_flow_id as flow, status, count(*)::int as n from tickets where tenant_id = $1 group by 1, 2, 3',
        [tenantId],
      )
      return rows
    })
    expect(rows).toEqual([{ queue: queueId, flow: null, status: 'pending', n: all.length }])
  } finally {
    await stop(child)
    await peer.close()
    shop.closeAllConnections()
    await new Promise((resolve) => shop.close(resolve))
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function prepare(databaseUrl: string, shopUrl: string) {
  const product = await startProduct({}, databaseUrl)
  const m = make(product.platform)
  const tenantId = await m.tenant()
  const queueId = await m.queue(tenantId)
  const definition = JSON.stringify({
    nodeList: [
      { id: 'c', type: 'configurations', configurations: { welcomeMessage: { message: 'Já vamos' } } },
      {
        id: 'a',
        type: 'node',
        interactions: [{ type: 'MessageField', data: { message: 'Olá' } }],
        conditions: [{ type: 'US', action: 0, nextStepId: 'b' }],
      },
      {
        id: 'b',
        type: 'node',
        interactions: [
          { type: 'WebhookField', data: { webhook: shopUrl, saveAs: 'loja' } },
          { type: 'MessageField', data: { message: 'Total {{loja.total}}' } },
        ],
        conditions: [{ type: 'US', action: 0, nextStepId: 'd' }],
      },
      {
        id: 'd',
        type: 'node',
        interactions: [
          { type: 'DelayField', data: { time: 1 } },
          { type: 'MessageField', data: { message: 'Anotado' } },
        ],
        conditions: [{ type: 'US', on: 'hours', action: 1, queueId }],
        wait: false,
      },
    ],
    lineList: [{ from: 'start', to: 'a' }],
  })
  const chatFlowId = await m.insert('chat_flows', tenantId, { name: 'Recepção', definition })
  await product.platform.db.asPlatform((db) =>
    db
      .insertInto('chat_flow_versions')
      .values({ tenant_id: tenantId, chat_flow_id: chatFlowId, version: 1, definition })
      .execute(),
  )
  const connectionId = await m.connection(tenantId, { type: 'test', chat_flow_id: chatFlowId })
  await product.close()
  return { tenantId, connectionId, queueId }
}
