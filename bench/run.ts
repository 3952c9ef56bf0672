import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { testChannel } from '#test/peers/channel.ts'
import { startProduct } from '#test/product.ts'
import { type BenchTenant, fill } from './data.ts'
import { migrateFor } from './database.ts'
import { measureFrontEnd } from './front-end.ts'
import { httpLoad } from './http-load.ts'
import { bodyTerms, measureLimits, searchTerms } from './limits.ts'
import type { Measure } from './loop.ts'
import { measureDelay, measureFanOut, measureIngest, measureRawFanOut } from './realtime.ts'
import { report, type SizeResult } from './report.ts'

// `npm run bench -- 10000,1000000 --server`: sizes in messages; without the browser's part.
const sizes = (process.argv[2]?.match(/^[\d,]+$/)?.[0] ?? '10000,1000000').split(',').map(Number)
// What the server showed is worth keeping also when the browser did not come to its end.
const notMeasured = (error: Error) => [{ name: 'not measured', value: error.message.split('\n')[0] ?? '', goal: '–' }]
const say = (line: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`)

const dataDir = mkdtempSync(join(tmpdir(), 'guiche-bench-'))
const database = await migrateFor(dataDir)
const results: SizeResult[] = []
let fanOut: { ours: { safe: number; ceiling: number }; raw: { safe: number; ceiling: number } } | undefined
try {
  const product = await startProduct(database.url, { env: { DATA_DIR: dataDir, DB_POOL: 16 } })
  testChannel(product.platform)
  let last: BenchTenant | undefined
  for (const size of sizes) {
    say(`preenchendo ${size.toLocaleString('pt-BR')} mensagens`)
    const tenant = await fill(product.platform, database.url, size)
    last = tenant
    say('limites do banco')
    const limits = await measureLimits(database.url, tenant)
    const { address } = product
    const http = (paths: string[], token: string, clients: number) => httpLoad({ address, paths, token, clients })
    const list = ['/api/tickets']
    const chats = tenant.liveTickets.map((id) => `/api/messages/${id}`)
    say('lista, conversa, busca, entrada, atraso até a tela')
    const deep = await deepCursor(address, tenant.adminToken, Math.min(500, size / 1000))
    const result: SizeResult = {
      size,
      limits,
      list1: await http(list, tenant.agentToken, 1),
      list16: await http(list, tenant.agentToken, 16),
      showAll1: await http(['/api/tickets?showAll=true'], tenant.adminToken, 1),
      deep1: await http([`/api/tickets?showAll=true&cursor=${encodeURIComponent(deep)}`], tenant.adminToken, 1),
      chat1: await http(chats, tenant.adminToken, 1),
      chat16: await http(chats, tenant.adminToken, 16),
      search1: await http(searches('/api/tickets?showAll=true&searchParam=', searchTerms), tenant.adminToken, 1),
      search16: await http(searches('/api/tickets?showAll=true&searchParam=', searchTerms), tenant.adminToken, 16),
      bodies1: await http(searches('/api/searchMessage?searchParam=', bodyTerms), tenant.adminToken, 1),
      bodies16: await http(searches('/api/searchMessage?searchParam=', bodyTerms), tenant.adminToken, 16),
      ingest1: await measureIngest(product.platform, tenant, 1),
      ingest16: await measureIngest(product.platform, tenant, 16),
      delay: await measureDelay(product.platform, tenant, address, 250, 4),
    }
    results.push(result)
    for (const [name, { perSecond, p50 }] of Object.entries({ ...limits, ...result }).filter(
      ([, value]) => typeof value === 'object' && 'perSecond' in value,
    ) as [string, Measure][]) {
      say(`  ${name}: ${Math.round(perSecond)}/s, p50 ${p50.toFixed(2)} ms`)
    }
  }
  say('difusão para 500 telas')
  fanOut = {
    raw: await measureRawFanOut(500),
    ours: await measureFanOut(
      (payload) =>
        product.platform.bus.tell(last!.tenantId, {
          channel: 'bench',
          type: 'bench',
          payload,
          audience: { kind: 'tenant' },
        }),
      product.address,
      last!.userTokens,
      `${last!.tenantId}:bench`,
      500,
    ),
  }
  say('interface no navegador')
  const frontEnd = process.argv.includes('--server')
    ? []
    : await measureFrontEnd(product.platform, product.address, last!).catch(notMeasured)
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  const text = report({
    version,
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`,
    results,
    fanOut,
    frontEnd,
  })
  writeFileSync(new URL('../docs/benchmarks.md', import.meta.url), text)
  console.log(text)
  await product.close()
} finally {
  await database.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function deepCursor(address: string, token: string, pages: number): Promise<string> {
  let cursor = ''
  for (let n = 0; n < pages; n++) {
    const response = await fetch(
      `${address}/api/tickets?showAll=true${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      { headers: { authorization: `Bearer ${token}` } },
    )
    const { nextCursor } = (await response.json()) as { nextCursor: string | null }
    if (!nextCursor) break
    cursor = nextCursor
  }
  return cursor
}

function searches(prefix: string, terms: readonly string[]): string[] {
  return terms.map((term) => `${prefix}${encodeURIComponent(term)}`)
}
