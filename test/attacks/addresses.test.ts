import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Product, startProduct } from '#test/server.ts'

let product: Product
let dist = ''
const SECRET = 'segredo-fora-da-pasta'

beforeAll(async () => {
  dist = mkdtempSync(join(tmpdir(), 'guiche-dist-'))
  mkdirSync(join(dist, 'web', 'assets'), { recursive: true })
  mkdirSync(join(dist, 'widget', 'assets'), { recursive: true })
  for (const name of ['index.html', 'login.html']) cpSync(name, join(dist, 'web', name))
  cpSync('src/widget/frame.html', join(dist, 'widget', 'frame.html'))
  writeFileSync(join(dist, 'web', 'assets', 'a.js'), 'console.log(1)')
  writeFileSync(join(dist, 'secret.txt'), SECRET)
  for (const hidden of ['.env', 'assets/.env']) writeFileSync(join(dist, 'web', hidden), SECRET)
  product = await startProduct({ env: { WEB_DIST: dist } })
})
afterAll(async () => {
  await product?.close()
  rmSync(dist, { recursive: true, force: true })
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
  it('to a built file leads to it', async () => {
    expect(await ask('/assets/a.js')).toMatchObject({ status: 200, body: 'console.log(1)' })
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
