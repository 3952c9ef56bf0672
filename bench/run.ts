import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { limitRules } from '#server/http/rate-limits.ts'
import { createLog } from '#server/log.ts'
import { testChannel } from '#test/peers/channel.ts'
import { type Product, startProduct } from '#test/product.ts'
import { measureBoard } from './board.ts'
import { measureBuilder } from './builder.ts'
import { compare, isComparable } from './compare.ts'
import { type BenchTenant, fill, fillList } from './data.ts'
import { asOwner, migrateFor } from './database.ts'
import { measureFiles } from './files.ts'
import { measureFrontEnd } from './front-end.ts'
import { funnelTenant } from './funnel.ts'
import { measureHostile } from './hostile.ts'
import { rawLimits } from './limits.ts'
import { linkedKeys, measureLinked } from './linked.ts'
import { medianOf } from './loop.ts'
import { mailKeys, measureMail } from './mail.ts'
import { type FanOut, measureFanOut, measureRawFanOut } from './realtime.ts'
import { type Measured, type Results, report } from './report.ts'
import { measureStart } from './start.ts'
import { measureWebchat, webchatKeys } from './webchat.ts'
import { type Bench, workloads } from './workloads.ts'

// `npm run bench -- 10000,1000000` measures at these sizes (in messages) and writes docs/benchmarks.md;
// `--only=chat1,fanOut,frontEnd,linkedDelay` picks workloads by key and writes nothing, `--json=file` keeps the figures;
// `--compare=<git ref>` measures that state and this one by short rounds in turn and prints the ratios.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, json: { type: 'string' }, compare: { type: 'string' } },
})
const only = values.only?.split(',')
const sizes = (positionals[0] ?? (values.compare ? '10000' : '10000,1000000')).split(',').map(Number)
const unknown = only?.filter(
  (key) =>
    ![
      'start',
      'fanOut',
      'frontEnd',
      'builder',
      'boardPaint',
      'funnelPaint',
      'hostile',
      'files',
      ...linkedKeys,
      ...mailKeys,
      ...webchatKeys,
      ...workloads.map((one) => one.key),
    ].includes(key),
)
if (unknown?.length || sizes.some((size) => !(size >= 1000))) {
  console.error(`Não conheço ${unknown?.length ? unknown.join(', ') : positionals[0]}.`)
  process.exit(2)
}
if (values.compare) {
  const whole = only?.filter((key) => !isComparable(key)) ?? []
  if (whole.length > 0) {
    console.error(`Não é medido em rodadas alternadas: ${whole.join(', ')}.`)
    process.exit(2)
  }
  await compare(values.compare, sizes[0]!, only)
  process.exit()
}

const isWanted = (key: string) => !only || only.includes(key)
const print = (line: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`)

const dataDir = mkdtempSync(join(tmpdir(), 'guiche-bench-'))
const database = await migrateFor(dataDir)
// Rate limits count as usual, but never refuse.
for (const rule of Object.values(limitRules)) Object.assign(rule, { points: 1e9 })
let product: Product | undefined
try {
  product = await startProduct(database.url, {
    env: { DATA_DIR: dataDir, DB_POOL: 16, RATE_LIMITS: true, OUTBOUND_ALLOW: ['127.0.0.1'] },
    log: createLog({ LOG_LEVEL: 'info' }, createWriteStream(join(dataDir, 'log'))),
    // Answers are sampled as in operation (a state that does not know of it parses each).
    every: 50,
  })
  testChannel(product.platform)
  const results: Results = { sizes: [] }
  let tenant: BenchTenant | undefined
  for (const size of sizes) {
    print(`filling ${size.toLocaleString('en')} messages`)
    tenant = await fill(product, database.url, size)
    results.sizes.push({
      size,
      measured: await measureAll({ product, tenant, size, refresh, databaseUrl: database.url }),
    })
  }
  if (isWanted('start')) {
    print('start')
    results.start = await measureStart()
  }
  if (isWanted('fanOut')) {
    print('fan-out to 500 sockets')
    results.fanOut = await fanOutOf(product, tenant!)
  }
  if (isWanted('frontEnd')) {
    print('front end')
    results.frontEnd = await measureFrontEnd(product, tenant!, await fillList(product, database.url, 50_000))
  }
  if (isWanted('builder')) {
    print('builder of chat flows')
    results.builder = await measureBuilder(product, tenant!)
  }
  if (isWanted('boardPaint')) {
    print('board on screen')
    results.board = await measureBoard(product, await fillList(product, database.url, 100_000))
  }
  if (isWanted('funnelPaint')) {
    print('board of the funnel on screen')
    results.funnel = await measureBoard(product, await funnelTenant(product, database.url), '/funil/kanban')
  }
  if (isWanted('hostile')) {
    print('hostile input')
    results.hostile = await measureHostile()
  }
  if (isWanted('files')) {
    print('files')
    results.files = await measureFiles()
  }
  const linked = linkedKeys.filter(isWanted)
  if (linked.length > 0) {
    print('linked numbers')
    results.linked = await measureLinked(linked)
  }
  const mail = mailKeys.filter(isWanted)
  if (mail.length > 0) {
    print('mailboxes')
    results.mail = await measureMail(mail)
  }
  const webchat = webchatKeys.filter(isWanted)
  if (webchat.length > 0) {
    print('webchat')
    results.webchat = await measureWebchat(webchat)
  }
  if (values.json) writeFileSync(values.json, JSON.stringify(results))
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`
  const text = report({ version, date: new Date().toISOString().slice(0, 10), machine }, results)
  if (!only) writeFileSync(new URL('../docs/benchmarks.md', import.meta.url), text)
  console.log(text)
} finally {
  await product?.close()
  await database.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function measureAll(bench: Bench): Promise<Record<string, Measured>> {
  const measured: Record<string, Measured> = {}
  const limits = rawLimits(database.url, bench.tenant)
  try {
    for (const { key, limit, run } of workloads) {
      if (!isWanted(key)) continue
      await refresh()
      const raw = await limit?.(limits)
      const ours = await run(bench)
      measured[key] = raw ? { ...ours, limit: raw } : ours
      const share = raw ? `, ${Math.round((ours.perSecond / raw.perSecond) * 100)} %` : ''
      print(`  ${key}: ${Math.round(ours.perSecond)}/s${share}, p50 ${ours.p50.toFixed(2)} ms`)
    }
  } finally {
    await limits.end()
  }
  return measured
}

async function fanOutOf(
  { platform, address }: Product,
  { tenantId, userTokens }: BenchTenant,
): Promise<{ raw: FanOut; ours: FanOut }> {
  const emit = (payload: object) =>
    platform.bus.publish(tenantId, {
      channel: 'bench',
      type: 'bench',
      payload,
      audience: { kind: 'tenant' },
    })
  return {
    raw: await medianOf(() => measureRawFanOut(500), 'safe'),
    ours: await medianOf(() => measureFanOut(emit, address, userTokens, `${tenantId}:bench`, 500), 'safe'),
  }
}

/**
 * Vacuums, analyses and checkpoints the database, so that dead rows, stale statistics and unwritten pages of one workload do
 * not slow the next.
 */
async function refresh(): Promise<void> {
  await asOwner(database.url, async (client) => {
    await client.query('vacuum analyze')
    await client.query('checkpoint')
  })
}
