import { setTimeout } from 'node:timers/promises'
import { coverageOf } from '#domain/flow/cases.ts'
import type { FlowDocument } from '#domain/flow/document.ts'
import { readFlow } from '#domain/flow/read.ts'
import { type RecordedEvent, recordedFacts } from '#domain/flow/recording.ts'
import { type FlowSession, newSession } from '#domain/flow/session.ts'
import { simulate } from '#domain/flow/simulate.ts'
import { step } from '#domain/flow/step.ts'
import { createReplayer, shelfKey } from '#features/flows/server/replayer.ts'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import type { Platform } from '#server/platform.ts'
import { FLOW_FACTS } from '#test/flow-facts.ts'
import { make } from '#test/make.ts'
import { testChannel, textEvent } from '#test/peers/channel.ts'
import type { BenchTenant } from './data.ts'
import { closedLoop, type Measure, medianOf, percentiles } from './loop.ts'
import { measureIngest } from './realtime.ts'

const NODES = 50
const AT_ONCE = 1000

/** Ring of menus, each with ten conditions; the last one holds, so a conversation with it never ends. */
const RING: FlowDocument = {
  nodeList: Array.from({ length: NODES }, (_, index) => ({
    ...{ id: `n${index}`, name: `Etapa ${index}`, type: 'node', variableKey: 'resposta' },
    interactions: [{ type: 'MessageField', data: { message: 'Olá, {{firstName}}: você disse {{resposta}}.' } }],
    conditions: [
      ...Array.from({ length: 9 }, (_, n) => ({ type: 'R', comparisonType: 'contains', condition: [`opção ${n}`] })),
      { type: 'US', action: 0, nextStepId: `n${(index + 1) % NODES}` },
    ],
  })),
  lineList: [{ from: 'start', to: 'n0' }],
}

/** Measures steps of the engine alone, each an answer that leads to the next node; delays are per step. */
export async function measureSteps(): Promise<Measure> {
  const flow = readFlow(RING)
  const start = newSession({ id: 'bench', chatFlowId: 1, version: 1, seed: 1 })
  let session: FlowSession = step(flow, start, { type: 'start', at: 0 }, FLOW_FACTS).session
  let at = 0
  const { perSecond, p50, p95, p99 } = await closedLoop(1, async () => {
    for (let n = 0; n < AT_ONCE; n++)
      session = step(flow, session, { type: 'answer', at: ++at, text: 'Quero saber do meu pedido' }, FLOW_FACTS).session
  })
  return { perSecond: perSecond * AT_ONCE, p50: p50 / AT_ONCE, p95: p95 / AT_ONCE, p99: p99 / AT_ONCE }
}

const ANSWERS = 6
const REPLAYED = 100

/**
 * Measures replays of conversations with six answers, each on its flow and on a draft with other texts; delays are per
 * conversation.
 */
export async function measureReplay(): Promise<Measure> {
  const draft = JSON.parse(JSON.stringify(RING).replaceAll('Olá', 'Oi')) as FlowDocument
  const { play } = createReplayer(draft, [[shelfKey({ chatFlowId: 1, version: 1 }), RING]])
  const start: RecordedEvent = {
    type: 'start',
    at: 0,
    chatFlowId: 1,
    version: 1,
    facts: recordedFacts(FLOW_FACTS, [], new Set(), true),
  }
  const answers = Array.from({ length: ANSWERS }, (_, n): RecordedEvent => {
    return { type: 'answer', at: (n + 1) * 60_000, text: 'Quero saber do meu pedido' }
  })
  const recording = { id: 'bench', seed: 1, events: [start, ...answers] }
  const { perSecond, p50, p95, p99 } = await closedLoop(1, async () => {
    for (let n = 0; n < REPLAYED; n++)
      if (play(recording)?.outcome !== 'words') throw new Error('the draft says nothing otherwise')
  })
  return { perSecond: perSecond * REPLAYED, p50: p50 / REPLAYED, p95: p95 / REPLAYED, p99: p99 / REPLAYED }
}

/** Measures a run of a hundred cases of ten answers each on a draft. */
export async function measureCases(): Promise<Measure> {
  const events = Array.from({ length: 10 }, (_, n) => ({ at: (n + 1) * 60_000, text: 'Quero saber do meu pedido' }))
  return closedLoop(1, async () => {
    const stage = {
      chatFlowId: 1,
      version: 0,
      flows: new Map([[1, readFlow(RING)]]),
      factsAt: () => FLOW_FACTS,
      seed: 1,
    }
    const played = Array.from({ length: 100 }, () => simulate(stage, { at: 0, events, answers: [] }))
    if (coverageOf(1, played).nodes.length !== 11) throw new Error('the cases went another way')
  })
}

/** Creates a connection whose conversations begin with a published flow that is a ring of steps. */
async function attendedConnection(platform: Platform, tenantId: number): Promise<number> {
  const m = make(platform)
  const definition = JSON.stringify(RING)
  const chatFlowId = await m.insert('chat_flows', tenantId, { name: 'Medido', definition, secrets_apart: true })
  await platform.db.asPlatform((db) =>
    db
      .insertInto('chat_flow_versions')
      .values({ tenant_id: tenantId, chat_flow_id: chatFlowId, version: 1, definition, secrets_apart: true })
      .execute(),
  )
  return m.connection(tenantId, { type: 'test', chat_flow_id: chatFlowId })
}

/**
 * Measures messages of customers whom a flow attends, until each is stored with its step, session and the flow's reply;
 * delays are per message of all customers, divided by their number.
 */
export async function measureAttended(platform: Platform, { tenantId }: BenchTenant, people: number): Promise<Measure> {
  const rounds = 5
  const connectionId = await attendedConnection(platform, tenantId)
  let n = 0
  const everybody = async () => {
    n++
    await Promise.all(
      Array.from({ length: people }, (_, person) =>
        receive(platform, { tenantId, connectionId }, [textEvent({ from: `k-flow-${person}`, body: `Palavra ${n}` })]),
      ),
    )
    await ingestIdle(platform)
  }
  await everybody()
  return medianOf(async () => {
    const delays: number[] = []
    const start = performance.now()
    for (let round = 0; round < rounds; round++) {
      const began = performance.now()
      await everybody()
      delays.push((performance.now() - began) / people)
    }
    return { perSecond: (rounds * people * 1000) / (performance.now() - start), ...percentiles(delays) }
  }, 'perSecond')
}

/**
 * Measures first messages of customers at a fixed rate, each until the channel has the flow's first reply; `perSecond`
 * counts those replies.
 */
export async function measureFirstAnswer(
  platform: Platform,
  { tenantId }: BenchTenant,
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
): Promise<Measure> {
  const connectionId = await attendedConnection(platform, tenantId)
  const waiting = new Map<string, () => void>()
  testChannel(platform).behave(async ({ conversationKey, messageId }) => {
    waiting.get(conversationKey)?.()
    return { providerId: messageId }
  })
  let n = 0
  const greet = async () => {
    const from = `k-first-${n++}`
    const answered = new Promise<void>((resolve) => waiting.set(from, resolve))
    const began = performance.now()
    await receive(platform, { tenantId, connectionId }, [textEvent({ from, body: 'Bom dia' })])
    await answered
    return performance.now() - began
  }
  const round = async () => {
    const began = performance.now()
    const delays: Promise<number>[] = []
    while (delays.length < perSecond * seconds) {
      await setTimeout(Math.max(0, began + (delays.length * 1000) / perSecond - performance.now()))
      delays.push(greet())
    }
    const all = await Promise.all(delays)
    return { perSecond: (all.length * 1000) / (performance.now() - began), ...percentiles(all) }
  }
  await round()
  const measured = await medianOf(round, 'p95')
  testChannel(platform)
  return measured
}

/**
 * Measures ingest of conversations without a flow in a company with flows; `limit` is the same with the flows switched off.
 * One message in a hundred begins a conversation.
 */
export async function measureBeside(
  platform: Platform,
  tenant: BenchTenant,
  inFlight: number,
): Promise<Measure & { limit: Measure }> {
  await attendedConnection(platform, tenant.tenantId)
  const round = async (isActive: boolean) => {
    await platform.db.write(tenant.tenantId, (db) =>
      db.updateTable('chat_flows').set({ is_active: isActive }).execute(),
    )
    const run = crypto.randomUUID()
    const from = (n: number) => (n % 100 === 0 ? `k-${run}-${n}` : `k-beside-${n % 200}`)
    return measureIngest(platform, tenant, inFlight, from)
  }
  // In turn, twice: what the machine does besides falls upon both.
  const off = [await round(false)]
  const on = [await round(true), await round(true)]
  off.push(await round(false))
  const mean = (rounds: readonly Measure[]) => {
    const of = (key: keyof Measure) => rounds.reduce((sum, one) => sum + one[key], 0) / rounds.length
    return { perSecond: of('perSecond'), p50: of('p50'), p95: of('p95'), p99: of('p99') }
  }
  return { ...mean(on), limit: mean(off) }
}
