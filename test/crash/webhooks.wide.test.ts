import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { make } from '#test/make.ts'
import { textEvent } from '#test/peers/channel.ts'
import { eventsOf, startReceiver } from '#test/peers/receiver.ts'
import { createDatabase, startProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { query, startChild, stop } from './processes.ts'

/** Package with which receivers verify: Standard Webhooks itself. */
const VERIFIER = 'standardwebhooks'
type Verifier = { Webhook: new (secret: string) => { verify(body: string, headers: Record<string, string>): unknown } }

it.each(['webhooks recorded', 'webhook claimed', 'webhook answered'])(
  'killed at “%s”, the product tells an endpoint of everything, under the same identifier',
  { timeout: 240_000 },
  async (point) => {
    const databaseUrl = await createDatabase()
    const dataDir = mkdtempSync(join(tmpdir(), 'guiche-webhooks-'))
    const receiver = await startReceiver()
    const product = await startProduct({}, databaseUrl)
    const { platform } = product
    const m = make(platform)
    const tenantId = await m.tenant()
    const connectionId = await m.connection(tenantId, { type: 'test' })
    const secret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`
    const at = platform.now()
    await m.insert('webhook_endpoints', tenantId, {
      ...{ name: 'Sistema', url: receiver.at('/hook'), events: ['message.created'], created_at: at, updated_at: at },
      secret: platform.secrets.encrypt(secret, `${tenantId}/webhook_endpoints`),
    })
    await query(databaseUrl, (client) =>
      client.query('insert into webhook_cursors (tenant_id, last_seq) values ($1, 0)', [tenantId]),
    )
    await product.close()
    const env = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, OUTBOUND_ALLOW: '127.0.0.1', PEER_URL: receiver.origin }
    let child: Awaited<ReturnType<typeof startChild>> | null = null
    try {
      const dying = await startChild({ ...env, CRASH_AT: point })
      child = dying
      const said = ['um', 'dois', 'três', 'quatro', 'cinco']
      const tell = (body: string, n: number) =>
        fetch(`${child!.address}/test/hook`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            ...{ tenantId, connectionId },
            events: [textEvent({ from: `551190000000${n}`, body, id: `id-${n}` })],
          }),
        })
      await tell(said[0]!, 0)
      await until(() => dying.process.signalCode === 'SIGKILL')
      child = await startChild(env)
      // The first once more: the provider cannot know that it was taken.
      for (const [n, body] of said.entries()) await tell(body, n)
      const bodies = () => new Set(eventsOf(receiver.to('/hook')).map(({ data }) => data.body as string))
      await until(() => bodies().size === said.length, 120_000)
      expect([...bodies()].toSorted()).toEqual(said.toSorted())
      const { Webhook } = (await import(VERIFIER)) as Verifier
      for (const { body, headers } of receiver.to('/hook'))
        expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toBeTruthy()
      // A delivery sent twice has the same identifier.
      const ids = new Set(receiver.to('/hook').map(({ headers }) => headers['webhook-id']))
      expect(ids.size).toBe(said.length)
    } finally {
      await stop(child)
      receiver.close()
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
)
