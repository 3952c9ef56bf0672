import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { serversIn, signal } from '#server/postgres/processes.ts'
import { usageOf } from '../../bench/start.ts'
import { startProduct } from './product.ts'
import { librariesAlone } from './yardsticks.ts'

const root = join(import.meta.dirname, '..', '..')

test('a start takes a second of CPU or the triple of its libraries, and an idle product that one person has entered 160 MB', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'guiche-cost-'))
  const start = () =>
    startProduct({
      folder: root,
      node: process.execPath,
      dataDir,
      args: ['scripts/start.mjs'],
      env: { NODE_ENV: 'production' },
    })
  const first = start()
  await first.address
  await first.end('SIGTERM')
  const product = start()
  onTestFinished(async () => {
    await product.end('SIGKILL')
    for (const pid of serversIn(join(dataDir, 'postgres'))) signal(pid, 'SIGKILL')
    rmSync(dataDir, { recursive: true })
  })
  const address = await product.address
  const server = Number(readFileSync(join(dataDir, 'guiche.pid'), 'utf8'))
  const { cpu } = usageOf(server)
  const code = await vi.waitUntil(() => /tokenSetup=([\w-]+)/.exec(product.output())?.[1], { timeout: 10_000 })
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${address}/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    expect([path, answer.status]).toEqual([path, 200])
  }
  const [email, password] = ['dona@empresa.test', 'Pão!quente1']
  await post('/auth/setup', { code, name: 'Dona', email, companyName: 'Empresa', password })
  await post('/auth/login', { email, password })
  // Idle means that what the start has left behind may be collected first; the lowest of three seconds counts.
  let least = Number.POSITIVE_INFINITY
  for (const end = performance.now() + 3000; performance.now() < end; await setTimeout(200))
    least = Math.min(least, usageOf(server).memory)
  expect(least).toBeGreaterThan(50)
  expect(least).toBeLessThan(160)
  expect(cpu).toBeGreaterThan(100)
  expect(cpu).toBeLessThan(Math.max(1000, 3 * librariesAlone()))
})
