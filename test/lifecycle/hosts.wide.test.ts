import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { isAlive, serversIn, signal } from '#server/postgres/processes.ts'
import { until } from '#test/until.ts'
import { hostsOf, type Product, startProduct } from './product.ts'

const root = join(import.meta.dirname, '..', '..')
let dataDir: string
let product: Product

beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'guiche-hosts-'))
  product = start()
})
afterAll(async () => {
  await product.end('SIGKILL')
  for (const pid of serversIn(join(dataDir, 'postgres'))) signal(pid, 'SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

const start = () =>
  startProduct({ node: process.execPath, folder: root, dataDir, env: { CONNECTIONS_PER_PROCESS: '1' } })
/** The group of a process. */
const groupOf = (pid: number) => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return Number(stat.slice(stat.lastIndexOf(')')).split(' ')[3])
}
const hosts = () => hostsOf(product.pid)

/** Creates the product's owner and returns a client with their token. */
async function openCompany() {
  const address = await product.address
  let token = ''
  const ask = async (method: string, path: string, body?: object) => {
    const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) }
    const answer = await fetch(`${address}/api${path}`, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    expect([path, answer.status]).toEqual([path, 200])
    return answer.json()
  }
  const code = await vi.waitUntil(() => /tokenSetup=([\w-]+)/.exec(product.output())?.[1], { timeout: 10_000 })
  const person = { email: 'dona@empresa.test', password: 'Pão!quente1' }
  await ask('POST', '/auth/setup', { code, name: 'Dona', companyName: 'Empresa', ...person })
  token = ((await ask('POST', '/auth/login', person)) as { token: string }).token
  return ask
}

test('numbers are kept by processes of their own: as many as are needed, started anew, ended with the product', async () => {
  const ask = await openCompany()
  expect(hosts()).toEqual([])
  const ids: number[] = []
  for (const name of ['Matriz', 'Filial']) {
    const { id } = (await ask('POST', '/whatsapp', { type: 'lab-device', name })) as { id: number }
    await ask('POST', `/whatsappsession/${id}`, {})
    ids.push(id)
  }
  const codes = async () =>
    Promise.all(ids.map(async (id) => ((await ask('GET', `/whatsapp/${id}`)) as { qrcode: string | null }).qrcode))
  await until(async () => (await codes()).every((code) => code !== null))
  const before = hosts()
  expect(before).toHaveLength(2)
  for (const pid of before) expect(groupOf(pid)).toBe(groupOf(product.pid))

  // The killed one restarts, and shows a new code.
  const shown = await codes()
  signal(before[0]!, 'SIGKILL')
  const isShownAnew = async () => {
    const now = await codes()
    return now.every((code) => code !== null) && now.some((code, n) => code !== shown[n])
  }
  await until(isShownAnew)
  expect(hosts()).toHaveLength(2)

  // Whatever becomes of the product, they end with it.
  const orphans = hosts()
  await product.end('SIGKILL')
  await until(() => orphans.every((pid) => !isAlive(pid)))
  product = start()
  await product.address
  await until(() => hosts().length === 2)
  const last = hosts()
  expect(await product.end('SIGTERM')).toBe(0)
  expect(last.filter(isAlive)).toEqual([])
}, 90_000)
