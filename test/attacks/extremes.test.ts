import { request } from 'node:http'
import { Writable } from 'node:stream'
import { beforeAll, expect, test } from 'vitest'
import type { Profile } from '#domain/access/profiles.ts'
import { pathOf } from '#kit/addresses.ts'
import type { Operation } from '#kit/contract.ts'
import { encodeCursor } from '#kit/cursor.ts'
import { PERMISSIONS } from '#kit/permissions.ts'
import { allRoutes } from '#server/app.ts'
import { createLog } from '#server/log.ts'
import { make } from '#test/make.ts'
import { type Owner, parametersOf, queryFor, rowMakers } from '#test/operations.ts'
import { inputSchema } from '#test/sample.ts'
import { ownProduct } from '#test/server.ts'
import { breadth } from '#test/setup/breadth.ts'

/** Number of values that the database refused; every parameter of every GET is tested with extreme values. */
let refusedByDatabase = 0
const sink = new Writable({
  write(chunk, _encoding, done) {
    if (String(chunk).includes('a value that the database refuses')) refusedByDatabase += 1
    done()
  },
})
const product = ownProduct('reads the whole log', { log: createLog({ LOG_LEVEL: 'warn' }, sink) })
const m = () => make(product().platform)
const { paramsFor } = rowMakers(product)
const reads = allRoutes()
  .map(({ op }) => op)
  .filter(({ method }) => method === 'GET')

const numbers = [
  ...['0', '-1', '1.5', '2147483647', '2147483648', '-2147483649', '9007199254740991', '9007199254740992'],
  ...['8640000000000000', '8640000000000001', '253402300800000', '9223372036854775807', '9223372036854775808'],
  ...[
    '1e3',
    '1e15',
    '1e308',
    '1e400',
    '-1e400',
    'NaN',
    'Infinity',
    '0x10',
    '١٢',
    '',
    ' ',
    'null',
    'undefined',
    '[]',
    '{}',
  ],
]
const days = [
  '0000-01-01',
  '0001-01-01',
  '9999-12-31',
  '2024-02-30',
  '-0001-01-01',
  '12026-01-01',
  '2026-01-01T00:00:00Z',
]
const texts = [
  ...[
    '\0',
    'a\0b',
    '\ud83d\ude00',
    '\ud800',
    '\u202e',
    '%',
    '_',
    '\\',
    "'",
    '"',
    '`',
    ';',
    '--',
    '$1',
    '*',
    '(',
    '[',
    '\r\n',
  ],
  ...[
    '../../x',
    '%00',
    '%ff',
    '%c0%af',
    '\ufffe',
    '\u{10ffff}',
    'a'.repeat(4000),
    '😀'.repeat(1000),
    '&& | !',
    '*:*',
    '<->',
  ],
]
const cursors = [1, 2, 3, 4].flatMap((length) =>
  [
    null,
    '',
    'x',
    'a\0b',
    -1,
    1.5,
    1e300,
    9007199254740991,
    8640000000000001,
    '2026-13-45',
    '0000-01-01',
    'Infinity',
    '{}',
  ].map((value) => encodeCursor(Array.from({ length }, () => value))),
)
const values = [...numbers, ...days, ...texts]

let people: Record<Profile, { owner: Owner; token: string }>
beforeAll(async () => {
  const tenantId = await m().tenant()
  const person = async (profile: Profile) => {
    const user = await m().user(tenantId, { profile })
    return { owner: { tenantId, userId: user.id }, token: await m().token(user) }
  }
  people = {
    user: await person('user'),
    super: await person('super'),
    admin: await person('admin'),
    superadmin: await person('superadmin'),
  }
})

const whoAsks = ({ can }: Operation) => {
  if (can === 'public' || can === 'session') return people.admin
  const allowed: readonly Profile[] = PERMISSIONS[can].profiles
  return allowed.includes('admin') ? people.admin : people[allowed[0]!]
}

/** Asks for exactly this address, as it is written. */
const ask = (path: string, token: string) =>
  new Promise<number>((resolve, reject) => {
    const { hostname, port } = new URL(product().address)
    const call = request({ hostname, port, path, headers: { authorization: `Bearer ${token}` } }, (reply) => {
      reply.resume()
      reply.on('end', () => resolve(reply.statusCode ?? 0))
    })
    // Some of a request that is too long is still being written when it is refused.
    call.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve(431) : reject(error),
    )
    call.end()
  })

const written = (value: string): string[] => {
  const escaped = value.isWellFormed() ? encodeURIComponent(value) : '%ED%A0%80'
  return /^[\w%.-]*%[\w%.-]*$/.test(value) ? [escaped, value] : [escaped]
}

let places = 0
/**
 * Returns the values for the next parameter: every third value in rotation, so that each is tried in many; all in the wide
 * round.
 */
const nextValues = (): string[] => {
  places++
  return values.filter((_, index) => (index + places) % breadth(3, 1) === 0).flatMap(written)
}

test.each(reads.map((op) => [op.name, op] as const))('%s has an answer to every value', async (_, op) => {
  const { owner, token } = whoAsks(op)
  const params = await paramsFor(op, owner)
  const needed = Object.entries({ ...queryFor(op) }).map(([name, value]) => [name, String(value)])
  const fields = Object.keys((op.query && inputSchema(op.query).properties) ?? {})
  const paths: string[] = []
  for (const name of parametersOf(op))
    for (const text of nextValues()) {
      const path = pathOf(op.path, { ...params, [name]: '@@' }).replace('%40%40', text)
      paths.push(`${path}?${new URLSearchParams(needed)}`)
    }
  const queried = (field: string, texts: readonly string[]) => {
    const rest = new URLSearchParams(needed.filter(([name]) => name !== field))
    return texts.map((text) => `${pathOf(op.path, params)}?${rest}&${field}=${text}`)
  }
  for (const field of fields)
    paths.push(...queried(field, nextValues()), ...queried(field, [`1&${field}=1`.repeat(600)]))
  expect(await brokenOf(paths, token)).toEqual([])
  // The database must accept every value that a contract accepts. A cursor is opaque to its contract.
  expect(refusedByDatabase).toBe(0)
  if (fields.includes('cursor')) expect(await brokenOf(queried('cursor', cursors), token)).toEqual([])
  refusedByDatabase = 0
})

/** Returns the paths without a response, or with a 5xx response. */
async function brokenOf(paths: readonly string[], token: string): Promise<string[]> {
  const broken: string[] = []
  for (let at = 0; at < paths.length; at += 8)
    await Promise.all(
      paths.slice(at, at + 8).map(async (path) => {
        const status = await ask(`/api${path}`, token)
        if (status >= 500 || status === 0) broken.push(`${status} ${path.slice(0, 200)}`)
      }),
    )
  return broken
}

test('an address of 100 kB is refused', async () => {
  for (const path of ['/api/tickets?searchParam=', '/widget/frame?token=', '/api/webchat/config?token=', '/'])
    expect([414, 431]).toContain(await ask(path + 'a'.repeat(100_000), people.admin.token))
})
