import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Operation } from '#kit/contract.ts'
import { PERMISSIONS, type Permission } from '#kit/permissions.ts'
import { allRoutes } from '#server/app.ts'
import { make } from '#test/make.ts'
import { inputSchema, sample } from '#test/sample.ts'
import { call, ownProduct, type Product, startProduct } from '#test/server.ts'

/** Product for operations that take a server name: each gets the name of an internal server, which must receive nothing. */
const product = ownProduct('may reach nothing of this machine')
let inside: Server
let heard = 0
let port = 0

beforeAll(async () => {
  inside = createServer((socket) => {
    heard++
    socket.destroy()
  })
  await new Promise<void>((resolve) => inside.listen(0, '::', resolve))
  port = (inside.address() as { port: number }).port
})
afterAll(() => inside.close())

const names = /host|url|issuer|server|endpoint|webhook|domain/i
/** Fields that an administrator of a company may set; the superadmin may name a server of the same machine on purpose. */
const targets: readonly { op: Operation; field: string }[] = allRoutes()
  .map(({ op }) => op)
  .filter((op) => op.body && op.can !== 'public' && op.can !== 'session')
  .filter((op) => PERMISSIONS[op.can as Permission].profiles.includes('admin'))
  .flatMap((op) =>
    Object.entries(inputSchema(op.body!).properties ?? {})
      .filter(([field, { type }]) => names.test(field) && type !== 'boolean')
      .map(([field]) => ({ op, field })),
  )

/** Values that the schema alone does not show. */
const bodies: Readonly<Record<string, object>> = {
  'companyMail.save': { smtp: 'enabled', emailFrom: 'loja@teste.dev', emailSecure: 'tls' },
}

const spellings = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '0',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  'localhost',
  'localhost.',
  '127.0.0.1.nip.io',
]

async function name(of: Product, spelling: string): Promise<void> {
  const m = make(of.platform)
  const token = await m.token(await m.user(await m.tenant(), { profile: 'admin' }))
  for (const { op, field } of targets) {
    const { properties = {} } = inputSchema(op.body!)
    const plain = { ...(sample(inputSchema(op.body!)) as object), ...bodies[op.name] }
    const ports = Object.keys(properties).filter((key) => /port$/i.test(key))
    for (const value of [spelling, `http://${spelling}:${port}/`, `http://x@${spelling}:${port}/`]) {
      const body = { ...plain, ...Object.fromEntries(ports.map((key) => [key, port])), [field]: value }
      await call(of, op, token, { body } as never)
      // Other operations may use the saved value.
      for (const { op: beside } of allRoutes())
        if (beside.family === op.family && beside.name.endsWith('.test'))
          await call(of, beside, token, { body: { to: 'pessoa@teste.dev' } } as never)
    }
  }
}

it('there are operations that take the name of a server, and what they call is heard where that is allowed', async () => {
  expect(targets.map(({ op, field }) => `${op.name} ${field}`)).toContain('companyMail.save emailHost')
  const open = await startProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.0/8'] } }, product().ownerUrl)
  try {
    await name(open, '127.0.0.1')
    expect(heard).toBeGreaterThan(0)
  } finally {
    await open.close()
    heard = 0
  }
})

it.each(spellings)('%s is reached by nobody', async (spelling) => {
  await name(product(), spelling)
  expect(heard).toBe(0)
})
