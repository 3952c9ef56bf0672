import { Worker } from 'node:worker_threads'
import type { VisitorSession, WebchatChannel } from '#features/webchat/contract.ts'
import { query } from '#test/crash/processes.ts'
import { startTcpProxy } from '#test/peers/tcp-proxy.ts'
import { until } from '#test/until.ts'
import type { Insist, Side } from './side.ts'
import type { Deed, Seen, Visit } from './visitor.ts'
import type { World } from './world.ts'

const VISITORS = 3
const TURN_MS = 400
const WRITTEN_MS = 120_000
const look = { title: 'Loja', welcome: 'Oi!', away: '', color: null, position: 'right', theme: 'auto' }
const form = { name: 'Site', queueId: null, look, domains: [], requiresProof: false }

/**
 * Opens returning visitors of a company's site, each on a separate page with the widget's own chat; they reach the
 * installation through a line to one web process after the other.
 */
export async function openWebchat(world: World, tenantId: number, insist: Insist): Promise<Side> {
  const { token } = (await insist('/api/webchat/channels', form)) as WebchatChannel
  const webs = world.members.filter(({ role }) => role === 'web')
  const line = await startTcpProxy(webs[0]!.address)
  let turn = 0
  const turns = setInterval(() => {
    const running = webs.filter(({ isRunning }) => isRunning)
    if (running.length > 0) line.retarget(running[turn++ % running.length]!.address)
  }, TURN_MS)
  const pages = new Map<string, ReturnType<typeof openPage>>()
  while (pages.size < VISITORS) {
    const { visitorToken } = (await insist('/api/webchat/session', { token })) as VisitorSession
    const contact = await query(world.database(), async (client) => {
      const { rows } = await client.query<{ id: string }>(
        'select id from webchat_visitors where tenant_id = $1 and not id::text = any($2)',
        [tenantId, [...pages.keys()]],
      )
      return rows[0]!.id
    })
    pages.set(contact, openPage({ origin: `http://127.0.0.1:${line.port}`, token, visitorToken }))
  }
  const all = [...pages.values()]
  world.visitors.current = {
    line,
    again: (seed) => {
      for (const page of all) page.do({ again: seed })
    },
  }
  return {
    ...{ contacts: [...pages.keys()], isSure: true },
    async write(contact, body) {
      const page = pages.get(contact)!
      page.do({ say: body })
      await until(() => page.seen().written.includes(body), WRITTEN_MS)
    },
    received: (contact) => pages.get(contact)!.seen().received,
    owed: () => all.filter((page) => page.seen().isOffline).length,
    mend: async () => {},
    async close() {
      world.visitors.current = null
      clearInterval(turns)
      await Promise.all(all.map((page) => page.close()))
      await line.close()
    },
  }
}

function openPage(visit: Visit) {
  const worker = new Worker(new URL('./visitor.ts', import.meta.url), { workerData: visit })
  let seen: Seen = { written: [], received: [], isOffline: false }
  let failure: Error | null = null
  worker.on('message', (now: Seen) => {
    seen = now
  })
  worker.on('error', (error) => {
    failure = error
  })
  return {
    do: (deed: Deed) => worker.postMessage(deed),
    seen: () => {
      if (failure) throw failure
      return seen
    },
    close: () => worker.terminate(),
  }
}
