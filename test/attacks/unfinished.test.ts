import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, it, test } from 'vitest'
import { bodyBytes } from '#server/http/bodies.ts'
import { make } from '#test/make.ts'
import { ownProduct, type Product, withProduct } from '#test/server.ts'

/** Bodies that are begun and never ended, by strangers and by people who are logged in. */
const KB = 1024
const product = withProduct()
const behindProxy = ownProduct('stands behind a proxy', { env: { TRUST_PROXY: true } })
const open: Socket[] = []
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy()
  await expect.poll(bodyBytes).toBe(0)
})

/** Begins a request and sends a part of its body; returns a function that reads the response so far. */
async function begin(of: Product, path: string, headers: Record<string, string>, bytes: number): Promise<() => string> {
  const socket = connect(Number(new URL(of.address).port), '127.0.0.1')
  open.push(socket)
  let answer = ''
  socket.on('data', (part) => {
    answer += part
  })
  socket.on('error', () => {})
  await once(socket, 'connect')
  const lines = Object.entries({ host: '127.0.0.1', 'content-type': 'application/json', ...headers })
  const head = [`POST ${path} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`), '', '']
  socket.write(head.join('\r\n'))
  const isChunked = 'transfer-encoding' in headers
  if (bytes > 0) socket.write(isChunked ? `${bytes.toString(16)}\r\n${'x'.repeat(bytes)}` : 'x'.repeat(bytes))
  return () => answer
}

const LOGIN = '/api/auth/login'
const said = (bytes: number) => ({ 'content-length': String(bytes) })
const statusOf = (answer: string) => answer.slice(9, 12)

test('300 strangers with almost 2 MiB each hold nothing', async () => {
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, n) =>
      n % 2 === 0
        ? begin(product(), LOGIN, said(2000 * KB), 60 * KB)
        : begin(product(), LOGIN, { 'transfer-encoding': 'chunked' }, 200 * KB),
    ),
  )
  await expect.poll(() => answers.filter((answer) => statusOf(answer()) === '413').length).toBe(300)
  expect(bodyBytes()).toBe(0)
})

test('what strangers hold within their limit is bound together, and given back when they go', async () => {
  const answers = await Promise.all(Array.from({ length: 600 }, () => begin(product(), LOGIN, said(64 * KB), 60 * KB)))
  const refused = () => answers.filter((answer) => statusOf(answer()) === '503')
  await expect.poll(() => refused().length).toBeGreaterThan(40)
  expect(bodyBytes()).toBeGreaterThan(20_000 * KB)
  expect(bodyBytes()).toBeLessThanOrEqual(32 * 1024 * KB)
  expect(refused()[0]!()).toMatch(/retry-after: \d/i)
})

it('bounds one address where a proxy says whose it is, and answers the others', async () => {
  const from = (address: string) => ({ ...said(64 * KB), 'x-forwarded-for': address })
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => begin(behindProxy(), LOGIN, from('203.0.113.9'), 60 * KB)),
  )
  await expect.poll(() => answers.filter((answer) => statusOf(answer()) === '503').length).toBeGreaterThan(30)
  expect(bodyBytes()).toBeLessThanOrEqual(4 * 1024 * KB)
  const other = await begin(behindProxy(), LOGIN, { ...from('203.0.113.10'), 'content-length': '2' }, 0)
  open.at(-1)!.write('{}')
  await expect.poll(() => statusOf(other())).toBe('400')
})

it.each([
  ['where one has to be logged in', '/api/contacts', '401'],
  ['where nothing is', '/api/nada', '413'],
])('reads nothing of a stranger’s large body %s', async (_, path, status) => {
  const answer = await begin(product(), path, said(2000 * KB), 500 * KB)
  await expect.poll(() => statusOf(answer())).toBe(status)
  expect(bodyBytes()).toBe(0)
})

it('counts what a person sends as theirs', async () => {
  const made = make(product().platform)
  const tenantId = await made.tenant()
  const token = await made.token({ id: (await made.user(tenantId)).id, tenantId })
  await begin(product(), '/api/contacts', { ...said(1000 * KB), authorization: `Bearer ${token}` }, 900 * KB)
  await expect.poll(bodyBytes).toBe(900 * KB)
})
