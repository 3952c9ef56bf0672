import { execFile } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { contactImports } from '#features/contacts/imports-contract.ts'
import { messages } from '#features/messages/contract.ts'
import { make } from '#test/make.ts'
import { testChannel } from '#test/peers/channel.ts'
import { call, type Product } from '#test/product.ts'
import type { BenchTenant } from './data.ts'
import { fairContact } from './fair-contacts.ts'
import { type Measure, percentiles } from './loop.ts'

const BLOCK = 500
const EVERY_MS = 100
const LOOK_EVERY_MS = 200

/** Measures the bare insert of `count` contacts in statements of 500 rows; the contacts remain in a company created for it. */
async function bareInsert({ platform }: Product, count: number): Promise<number> {
  const tenantId = await make(platform).tenant('Inserção')
  const began = performance.now()
  for (let from = 0; from < count; from += BLOCK) {
    const rows = Array.from({ length: BLOCK }, (_, at) => fairContact(from + at))
    await platform.db.write(tenantId, (db) =>
      sql`insert into contacts (tenant_id, name, number, email)
        select app.tenant(), r.name, r.number, r.email
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (name text, number text, email text)`.execute(db),
    )
  }
  return performance.now() - began
}

async function upload(what: object): Promise<string> {
  const file = new URL('./fair-contacts.ts', import.meta.url).pathname
  const { stdout } = await promisify(execFile)(process.execPath, [file], {
    env: { ...process.env, SEND: JSON.stringify(what) },
  })
  return stdout.trim()
}

/**
 * Measures the delay of live messages, from the request to the channel, while a file with `count` contacts is checked and
 * imported; `perSecond` counts contacts. Prints the time beyond that of the bare insert, and the additional memory.
 */
export async function measureImport(product: Product, tenant: BenchTenant, count: number): Promise<Measure> {
  const bare = await bareInsert(product, count)
  const waiting = new Map<string, (at: number) => void>()
  testChannel(product.platform).behave(async ({ messageId, body }) => {
    waiting.get(body)?.(performance.now())
    return { providerId: messageId }
  })
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  const began = performance.now()
  const id = await upload({ count, address: product.address, token: tenant.adminToken })
  const delays: number[] = []
  const live: Promise<void>[] = []
  let memory = 0
  let status = 'running'
  for (let n = 0; status === 'running'; n++) {
    live.push(sendLive(n))
    await setTimeout(EVERY_MS)
    memory = Math.max(memory, process.memoryUsage().rss - before)
    if (n % (LOOK_EVERY_MS / EVERY_MS) > 0) continue
    const { body } = await call(product, contactImports.get, tenant.adminToken, { params: { id } })
    ;({ status } = body)
  }
  const took = performance.now() - began
  await Promise.all(live)
  const times = (took / bare).toFixed(2)
  console.log(
    `import of ${count}: ${times}× the bare insert (${Math.round(bare)} ms), ${Math.round(memory / 2 ** 20)} MB more`,
  )
  return { perSecond: (count / took) * 1000, ...percentiles(delays) }

  async function sendLive(n: number): Promise<void> {
    const body = `Ao vivo ${began} ${n}`
    const asked = performance.now()
    const sent = new Promise<number>((resolve) => waiting.set(body, resolve))
    const { status } = await call(product, messages.send, tenant.adminToken, {
      params: { ticketId: tenant.live[n % tenant.live.length]!.ticketId },
      body: { idFront: crypto.randomUUID(), body, isNote: false },
    })
    // Half of these tickets have no owner yet, so that no reply is allowed there.
    if (status === 200) delays.push((await sent) - asked)
  }
}
