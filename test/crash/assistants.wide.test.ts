import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { make } from '#test/make.ts'
import { startAssistants } from '#test/peers/assistants.ts'
import { textEvent } from '#test/peers/channel.ts'
import { createDatabase, startProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { query, startChild, startPeer, stop } from './processes.ts'

/** Points between the states of a turn and of its message, with what becomes of a turn that may have effects. */
const POINTS = [
  ['turn claimed', 'answered'],
  ['turn asked', 'uncertain'],
  ['turn answered', 'uncertain'],
  ['turn recorded', 'answered'],
  ['message claimed', 'answered'],
  ['provider accepted', 'answered'],
] as const
/** Errors of calls whose process died before their result was stored. */
const LOST = 'O processo parou antes da resposta.'
const MODEL = '5511900000001'
const WORKFLOW = '5511900000002'
/** Longer than the lease of a dead process. */
const LIMIT_MS = 120_000

let assistants: Awaited<ReturnType<typeof startAssistants>>
beforeAll(async () => {
  assistants = await startAssistants()
})
afterAll(() => assistants.close())
beforeEach(() => assistants.reset())

/** Creates a company with a connection on which a model answers, and one on which a workflow does. */
async function prepare(databaseUrl: string) {
  const { platform, close } = await startProduct({}, databaseUrl)
  const m = make(platform)
  const tenantId = await m.tenant()
  const queueId = await m.queue(tenantId)
  const at = platform.now()
  const connect = async (provider: 'claude' | 'n8n') => {
    const connectionId = await m.connection(tenantId, { type: 'test', queue_id: queueId })
    const accountId = await m.insert('provider_settings', tenantId, {
      ...{ kind: 'assistant', provider, name: provider, is_default: true, created_at: at, updated_at: at },
      config: JSON.stringify({ ...assistants.filled[provider]!.config, waitSeconds: 0 }),
    })
    const row = { connection_id: connectionId, account_id: accountId, updated_at: at }
    await platform.db.write(tenantId, (db) =>
      db
        .insertInto('connection_assistants')
        .values({ tenant_id: tenantId, ...row })
        .execute(),
    )
    await m.setting(tenantId, provider, 'enabled')
    return connectionId
  }
  const connections = { [MODEL]: await connect('claude'), [WORKFLOW]: await connect('n8n') }
  await close()
  return { tenantId, connections }
}

it.each(POINTS)(
  'killed at “%s”, a model answers once, and a workflow is called once: %s',
  { timeout: 600_000 },
  async (point, workflowEnds) => {
    const databaseUrl = await createDatabase()
    const dataDir = mkdtempSync(join(tmpdir(), 'guiche-assistants-'))
    const peer = await startPeer()
    const { tenantId, connections } = await prepare(databaseUrl)
    let child: Awaited<ReturnType<typeof startChild>> | null = null
    const start = async (extra: Record<string, string> = {}) => {
      const env = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PEER_URL: peer.url, OUTBOUND_ALLOW: '127.0.0.1' }
      child = await startChild({ ...env, ...extra })
      return child
    }
    const write = (from: keyof typeof connections, body: string) =>
      fetch(`${child!.address}/test/hook`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          ...{ tenantId, connectionId: connections[from] },
          events: [textEvent({ from, body, id: `${from} ${body}` })],
        }),
      })
    const held = (from: string) => peer.held[from] ?? []
    const rows = <R extends object>(text: string) =>
      query(databaseUrl, async (client) => (await client.query(text)).rows as R[])
    const turnsOf = async (provider: string) =>
      (
        await rows<{ status: string }>(
          `select status from assistant_turns where provider = '${provider}' order by created_at`,
        )
      ).map(({ status }) => status)
    const asked = (path: RegExp) => assistants.asked().filter((call) => path.test(call.path))
    const isDead = () => child?.process.signalCode === 'SIGKILL'
    try {
      // The model's turn dies, and the workflow's once the model's has been taken over.
      await start({ CRASH_AT: point })
      await write(MODEL, 'oi')
      await until(isDead, LIMIT_MS)
      const passes = point === 'turn recorded' ? '0' : '1'
      await start({ CRASH_AT: point, CRASH_AFTER: passes })
      await until(() => held(MODEL).length > 0, LIMIT_MS)
      await write(WORKFLOW, 'oi')
      await until(isDead, LIMIT_MS)
      await start()
      await until(async () => (await turnsOf('n8n'))[0] === workflowEnds, LIMIT_MS)
      if (workflowEnds === 'answered') await until(() => held(WORKFLOW).length > 0, LIMIT_MS)
      // It goes on: what may have been done is not asked for again.
      await write(MODEL, 'de novo')
      await write(WORKFLOW, 'de novo')
      await until(() => [MODEL, WORKFLOW].every((one) => held(one).at(-1) === 'Resposta a: de novo'), LIMIT_MS)
      expect(held(MODEL)).toEqual(['Resposta a: oi', 'Resposta a: de novo'])
      expect(held(WORKFLOW)).toEqual(
        workflowEnds === 'answered' ? ['Resposta a: oi', 'Resposta a: de novo'] : ['Resposta a: de novo'],
      )
      await until(async () => (await turnsOf('n8n')).at(-1) === 'answered')
      expect([await turnsOf('claude'), await turnsOf('n8n')]).toEqual([
        ['answered', 'answered'],
        [workflowEnds, 'answered'],
      ])
      const texts = asked(/webhook/).map(({ body }) => JSON.stringify(body['message']))
      expect(texts.filter((text) => text.includes('oi')).length).toBe(point === 'turn asked' ? 0 : 1)
      // Each call is a row; one that was about to leave when its process died is one as well.
      const calls = await rows<{ error: string | null }>(`select error from assistant_calls where purpose = 'turn'`)
      const lost = calls.filter(({ error }) => error === LOST).length
      expect(calls).toHaveLength(asked(/./).length + (point === 'turn asked' ? 2 : 0))
      expect(lost).toBe(['turn asked', 'turn answered'].includes(point) ? 2 : 0)
    } finally {
      await stop(child)
      await peer.close()
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
)
