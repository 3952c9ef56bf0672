import { sql } from 'kysely'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import type { Platform } from '#server/platform.ts'
import { make } from '#test/make.ts'
import { startAssistants } from '#test/peers/assistants.ts'
import { textEvent } from '#test/peers/channel.ts'
import { until } from '#test/until.ts'
import { type Measure, medianOf, percentiles } from './loop.ts'

/**
 * Measures turns of `people` customers who write at the same time, each until its answer is stored: turns per second, and
 * the product's own part of each in ms, without the model's call and the wait for a slot.
 */
export async function measureTurns(platform: Platform, people: number): Promise<Measure> {
  const peer = await startAssistants()
  try {
    const m = make(platform)
    const tenantId = await m.tenant('Assistentes')
    const connection_id = await m.connection(tenantId, { type: 'test' })
    const now = platform.now()
    const account_id = await m.insert('provider_settings', tenantId, {
      ...{ kind: 'assistant', provider: 'ollama', name: 'Robô', is_default: true, created_at: now, updated_at: now },
      config: JSON.stringify({ ...peer.filled['ollama']!.config, waitSeconds: 0 }),
    })
    await m.setting(tenantId, 'ollama', 'enabled')
    await platform.db.write(tenantId, (db) =>
      db
        .insertInto('connection_assistants')
        .values({ tenant_id: tenantId, connection_id, account_id, updated_at: now })
        .execute(),
    )
    let n = 0
    const counted = () =>
      platform.db.read(tenantId, async (db) => {
        const { rows } = await sql<{ answered: number; own: number[] }>`
          select count(*) filter (where status = 'answered')::int as answered, coalesce(array_agg(
            (extract(epoch from ended_at - greatest(due_at, created_at)) * 1000)::float8 - ms) filter (where status = 'answered'), '{}') as own
          from assistant_turns`.execute(db)
        return rows[0]!
      })
    const everybody = async () => {
      n++
      await platform.db.write(tenantId, (db) => sql`delete from assistant_turns`.execute(db))
      await Promise.all(
        Array.from({ length: people }, (_, person) =>
          receive(platform, { tenantId, connectionId: connection_id }, [
            textEvent({ from: `k-turn-${person}`, body: `Pergunta ${n}` }),
          ]),
        ),
      )
      await ingestIdle(platform)
      await until(async () => (await counted()).answered === people, 120_000)
      return (await counted()).own
    }
    await everybody()
    return await medianOf(async () => {
      const began = performance.now()
      const own = await everybody()
      return { perSecond: (people * 1000) / (performance.now() - began), ...percentiles(own) }
    }, 'p95')
  } finally {
    await peer.close()
  }
}
