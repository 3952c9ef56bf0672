import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Product, startProduct } from '#test/server.ts'
import { breadth } from '#test/setup/breadth.ts'

let product: Product
let folder = ''
let dist = ''
const SECRET = 'segredo-fora-da-pasta'
const BUILT = 'console.log(1)'
const files = ['assets/a.js', 'sw.js', 'widget/guiche.js', 'widget/assets/a.js']

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'guiche-dist-'))
  dist = join(folder, 'a', 'b', 'dist')
  for (const built of ['web', 'widget']) mkdirSync(join(dist, built, 'assets'), { recursive: true })
  for (const name of ['index.html', 'login.html']) cpSync(name, join(dist, 'web', name))
  cpSync('src/widget/frame.html', join(dist, 'widget', 'frame.html'))
  for (const name of files) writeFileSync(join(dist, name.startsWith('widget/') ? '' : 'web', name), BUILT)
  // One at each height that a path may climb to.
  for (const above of ['', 'a', 'a/b', 'a/b/dist']) writeFileSync(join(folder, above, 'secret.txt'), SECRET)
  for (const hidden of ['.env', 'assets/.env']) writeFileSync(join(dist, 'web', hidden), SECRET)
  product = await startProduct({ env: { WEB_DIST: dist } })
})
afterAll(async () => {
  await product?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Asks for exactly this path: `fetch` would tidy it up. */
const ask = (path: string, headers: Record<string, string> = {}) =>
  new Promise<{ status: number; location: string | undefined; body: string }>((resolve, reject) => {
    const { hostname, port } = new URL(product.address)
    const call = request({ hostname, port, path, headers }, (reply) => {
      let body = ''
      reply.setEncoding('utf8')
      reply.on('data', (text: string) => {
        body += text
      })
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, location: reply.headers.location, body }))
    })
    call.on('error', reject)
    call.end()
  })

describe('a path', () => {
  it.each(files)('to the built file %s leads to it', async (name) => {
    expect(await ask(`/${name}`)).toMatchObject({ status: 200, body: BUILT })
    expect((await ask(`/${name}.br`)).body).not.toBe(BUILT)
  })

  it.each([
    '/assets/../../secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/assets/%2e%2e/%2e%2e/secret.txt',
    '/assets/..%5c..%5csecret.txt',
    '/assets/..\\..\\secret.txt',
    '/assets/....//....//secret.txt',
    '/assets/%252e%252e%252f%252e%252e%252fsecret.txt',
    '/assets/a.js/../../../secret.txt',
    '/assets/a.js%00.txt',
    '/../secret.txt',
    '//secret.txt',
    '/.env',
    '/assets/../.env',
    '/assets/.env',
    '/widget/assets/../../secret.txt',
    '/widget/..%2f..%2fsecret.txt',
    '/api/files/../../secret.txt',
    '/api/files/..%2f..%2fsecret.txt/a.txt',
  ])('%s leads out of no folder', async (path) => {
    const reply = await ask(path)
    expect(reply.body).not.toContain(SECRET)
    expect(reply.status).not.toBe(500)
  })

  it.each([
    '//mal.test',
    '//mal.test/%2f..',
    '/\\mal.test',
    '/%5cmal.test',
    '///mal.test/..',
    '/login//mal.test',
    '/login?next=//mal.test',
    '/login?redirect=https://mal.test',
    '/login/..//mal.test',
    '/api//mal.test/',
    '/reset/abc?next=https://mal.test',
    '/auth/google/callback?state=x&redirect_uri=https://mal.test',
    '/atendimento/%0d%0aLocation:%20https://mal.test',
  ])('%s sends nobody to another site', async (path) => {
    for (const headers of [{}, { host: 'mal.test' }, { 'x-forwarded-host': 'mal.test' }] as Record<string, string>[]) {
      const { status, location, body } = await ask(path, headers)
      expect(status).not.toBe(500)
      if (location !== undefined) expect(new URL(location, product.address).origin).toBe(product.address)
      expect(body).not.toMatch(/(href|src|action|content)="?(https?:)?[/\\]{2}mal\.test/i)
    }
  })
})

/** Writes a raw request line, which no client would send. */
const raw = (target: string) =>
  new Promise<{ status: number; body: string }>((resolve, reject) => {
    const { hostname, port } = new URL(product.address)
    const socket = connect(Number(port), hostname, () =>
      socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
    )
    let text = ''
    socket.setEncoding('latin1')
    socket.on('data', (part) => {
      text += part
    })
    socket.on('error', reject)
    socket.on('close', () => {
      const [head = '', ...body] = text.split('\r\n\r\n')
      resolve({ status: Number(head.split(' ')[1]), body: body.join('\r\n\r\n') })
    })
  })

/** Returns every GET address without required parameters, from the router, and those of the built files. */
function fixedAddresses(): string[] {
  const above: string[] = []
  const found = files.map((name) => `/${name}`)
  for (const line of product.app.http.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent, path, methods] = /^((?:│ {3}| {4})*)[├└]── (\S*) \(([^)]*)\)/.exec(line) ?? []
    if (path === undefined || indent === undefined) continue
    above.splice(indent.length / 4)
    const address = above.join('') + path
    above.push(path)
    if (methods?.includes('GET') && !/[:*]/.test(address)) found.push(address)
  }
  return found
}

const ups = ['../', '..%2f', '%2e%2e/', '%2e%2e%2f', '%252e%252e%252f', '..\\', '..%5c', '%2e%2e%5c', '.././', '..//']
const overlong = ['..%c0%af', '%c0%ae%c0%ae/', '%e0%80%ae%e0%80%ae%e0%80%af', '..%ef%bc%8f']
const marks = ['', '/', 'x/', 'x#/', '#/', '?/', ';/', 'x;a=/', '%23/', '%3f/', '%00/', 'a.js#/', 'a.js%00/']

/** Each path from one of the folders that tries to climb to a secret; all of them only in the wide round. */
function climbs(bases: readonly string[]): string[] {
  const ways = marks.flatMap((mark) =>
    [...ups, ...overlong].flatMap((up) => [1, 2, 3, 5].map((times) => `${mark}${up.repeat(times)}secret.txt`)),
  )
  const parts = breadth(4, 1)
  return bases.flatMap((base, index) =>
    ways.filter((_, way) => (way + Math.floor(way / 4) + index) % parts === 0).map((way) => base + way),
  )
}

describe('a request line as nobody should write it', () => {
  it('is asked of every address that serves what was built', () => {
    expect(fixedAddresses()).toEqual(expect.arrayContaining(['/widget/frame', '/login', '/health']))
  })

  it('reads no byte of a file that was not built, from whatever address it starts', async () => {
    const addresses = fixedAddresses()
    const folders = new Set(addresses.flatMap((address) => [address, address.slice(0, address.lastIndexOf('/') + 1)]))
    const asked = [...folders].filter((one) =>
      /^\/($|assets|widget|login|sw|health|api\/(docs|files|openapi))/.test(one),
    )
    const targets = climbs([...asked, '/api/files/x/', '/widget/nada/', '/reset/'])
    const lines = targets.flatMap((target) => [target, `http://x${target}`])
    const leaks: string[] = []
    const broken: string[] = []
    for (let at = 0; at < lines.length; at += 50)
      await Promise.all(
        lines.slice(at, at + 50).map(async (line) => {
          const { status, body } = await raw(line)
          if (body.includes(SECRET)) leaks.push(line)
          if (status >= 500 || Number.isNaN(status)) broken.push(`${status} ${line}`)
        }),
      )
    expect({ leaks, broken }).toEqual({ leaks: [], broken: [] })
  }, 360_000)

  it.each(['/widget/assets/..', '/widget/assets/x#/../../secret.txt', '/widget/assets/', '/widget/assets/%2e%2e'])(
    '%s is not there',
    async (line) => {
      expect((await raw(line)).status).toBe(404)
      expect((await raw(`http://x${line}`)).status).toBe(line.includes('#') ? 400 : 404)
    },
  )

  it('finds a built file by its name, also in the absolute form', async () => {
    for (const line of ['/widget/assets/a.js', 'http://x/widget/assets/a.js', '/widget/guiche.js?v=1'])
      expect(await raw(line)).toMatchObject({ status: 200, body: expect.stringContaining(BUILT) })
  })
})
