import { beforeAll, describe, expect, test } from 'vitest'
import { PROFILES, type Profile } from '#domain/access/profiles.ts'
import type { Operation } from '#kit/contract.ts'
import { PERMISSIONS, type Permission } from '#kit/permissions.ts'
import { allRoutes } from '#server/app.ts'
import { register } from '#server/feature.ts'
import { features } from '#server/features.ts'
import { withSamples } from '#test/features/samples/product.ts'
import { make } from '#test/make.ts'
import {
  bodyFor,
  type Id,
  isList,
  isOpen,
  isShared,
  makerOf,
  parametersOf,
  queryFor,
  rowInQuery,
  rowMakers,
  writing,
} from '#test/operations.ts'
import { inputSchema } from '#test/sample.ts'
import { call, ownProduct } from '#test/server.ts'
import { breadth } from '#test/setup/breadth.ts'

/**
 * Operations of all contracts. Each is called without login, in the wrong role, for another company, with a bad body, and
 * once validly with its response checked by its schema. A new operation is covered automatically; only a new kind of row
 * needs a maker, unless its table is a plain one.
 */
const operations = allRoutes([...features, ...register([withSamples.more.feature])]).map(({ op }) => op)
// Two database clients: code that requests a second one while it holds one waits for itself.
const product = ownProduct('has few clients of the database, and a feature of its own', {
  env: { DB_POOL: 2 },
  ...withSamples,
})

type Company = { tenantId: number; tokens: Record<Profile, string>; userId: number }
let ours: Company
let theirs: Company

const m = () => make(product().platform)
const { paramsFor } = rowMakers(product)

/**
 * Returns the roles of an operation: the first with the permission (the company's admin if any logged-in user may), and one
 * without it.
 */
function rolesOf(op: Operation): { may: Profile; mayNot: Profile | undefined } {
  if (op.can === 'public' || op.can === 'session') return { may: 'admin', mayNot: undefined }
  const allowed: readonly Profile[] = PERMISSIONS[op.can].profiles
  return {
    may: allowed.includes('admin') ? 'admin' : allowed[0]!,
    mayNot: PROFILES.find((profile) => !allowed.includes(profile)),
  }
}

const refused = new Map<string, Promise<Record<string, Id>>>()

/** Rows of a company for calls that are refused, and so change nothing: made once for each operation. */
function paramsOfRefused(op: Operation, company: Company): Promise<Record<string, Id>> {
  const key = `${op.name} ${company.tenantId}`
  const made = refused.get(key) ?? paramsFor(op, company)
  refused.set(key, made)
  return made
}

const ask = (op: Operation, token: string | null, input: object) => call(product(), op, token, input)
const askAs = (op: Operation, input: object) => ask(op, ours.tokens[rolesOf(op).may], input)

beforeAll(async () => {
  const company = async (): Promise<Company> => {
    const tenantId = await m().tenant()
    const tokens = {} as Company['tokens']
    let userId = 0
    for (const profile of PROFILES) {
      const user = await m().user(tenantId, { profile })
      tokens[profile] = await m().token(user)
      if (profile === 'admin') userId = user.id
    }
    return { tenantId, tokens, userId }
  }
  ours = await company()
  theirs = await company()
})

test('there are operations, and every parameter of theirs has a maker', () => {
  expect(operations.length).toBeGreaterThan(50)
  const names = operations.map((op) => op.name)
  expect(names).toHaveLength(new Set(names).size)
  const bare = operations.flatMap((op) =>
    parametersOf(op).flatMap((name) => (makerOf(op, name) ? [] : [`${op.name}: ${name}`])),
  )
  expect(bare).toEqual([])
})

const guarded = operations.filter((op) => op.can !== 'public')
const table = (ops: readonly Operation[]) => ops.map((op) => [op.name, op] as const)

describe('nobody', () => {
  test.each(table(guarded))('%s answers 401 without a session', async (_, op) => {
    const reply = await ask(op, null, { params: await paramsOfRefused(op, ours) })
    expect([reply.status, reply.body]).toMatchObject([401, { error: 'ERR_SESSION_EXPIRED' }])
  })

  const own = operations.filter((op) => op.can === 'public' && op.errors?.includes('ERR_SESSION_EXPIRED'))
  test.each(table(own))('%s answers 401 without a token of its own', async (_, op) => {
    const input = { params: await paramsOfRefused(op, ours), body: bodyFor(op), query: queryFor(op) }
    expect((await ask(op, null, input)).status).toBe(401)
  })
})

describe('the wrong role', () => {
  const limited = guarded.filter((op) => rolesOf(op).mayNot)
  test.each(table(limited))('%s answers 403 to a role without the permission', async (_, op) => {
    const input = { params: await paramsOfRefused(op, ours), body: bodyFor(op) }
    for (const profile of PROFILES) {
      if (PERMISSIONS[op.can as Permission].profiles.includes(profile)) continue
      const reply = await ask(op, ours.tokens[profile], input)
      expect([profile, reply.status, reply.body]).toMatchObject([profile, 403, { error: 'ERR_NO_PERMISSION' }])
    }
  })
})

describe('another company', () => {
  const named = guarded.flatMap((op) => parametersOf(op).map((name) => [`${op.name} (${name})`, op, name] as const))
  test.each(named)(
    '%s answers 404 for a row of another company, like for one that is not there',
    async (_, op, name) => {
      const params = await paramsOfRefused(op, ours)
      const foreign = await paramsOfRefused(op, theirs)
      const nowhere = typeof foreign[name] === 'number' ? 999_999_999 : String(foreign[name]).replace(/.{6}$/, '000000')
      const other = isShared(op, name) ? nowhere : foreign[name]
      const rest = { query: queryFor(op), body: bodyFor(op) }
      const reply = await askAs(op, { params: { ...params, [name]: other }, ...rest })
      const missing = await askAs(op, { params: { ...params, [name]: nowhere }, ...rest })
      expect([reply.status, missing.status]).toEqual([404, 404])
      const { error } = reply.body as { error: string }
      expect(op.errors).toContain(error)
      expect(missing.body).toMatchObject({ error })
    },
  )
})

describe('a bad body', () => {
  const withBody = operations.filter((op) => op.body)

  test.each(table(withBody.filter((op) => !isOpen(op) && !isList(op))))(
    '%s answers 400 to a field that it does not know',
    async (_, op) => {
      const body = { ...bodyFor(op), surpresa: 1 }
      const reply = await askAs(op, { params: await paramsOfRefused(op, ours), body })
      expect([reply.status, reply.body]).toMatchObject([
        400,
        { error: 'ERR_VALIDATION', details: { surpresa: 'Campo desconhecido.' } },
      ])
    },
  )

  const fields = withBody.flatMap((op) =>
    Object.keys(inputSchema(op.body!).properties ?? {}).map((field) => [`${op.name} (${field})`, op, field] as const),
  )
  test('there are fields to spoil', () => expect(fields.length).toBeGreaterThan(50))

  test.each(fields)('%s answers 400, at that field, to a value of the wrong type', async (_, op, field) => {
    const good = bodyFor(op)
    const spoiled = [{ um: 'objeto' }, ['lista'], 'texto', -1.5, true, null]
      .map((value) => ({ ...good, [field]: value }))
      .find((body) => op.body!.safeParse(body).error?.issues.every((issue) => issue.path[0] === field))
    expect(spoiled, 'no value is wrong for this field').toBeDefined()
    const reply = await askAs(op, { params: await paramsOfRefused(op, ours), body: spoiled })
    expect([reply.status, reply.body]).toMatchObject([400, { error: 'ERR_VALIDATION', details: expect.any(Object) }])
    const [key, sentence] = Object.entries((reply.body as { details: Record<string, string> }).details)[0]!
    expect([key.split('.')[0], typeof sentence]).toEqual([field, 'string'])
  })
})

describe('an answer', () => {
  const reads = guarded.filter((op) => op.method === 'GET' && ![...writing, ...rowInQuery].includes(op.name))
  test.each(table(reads))('%s is 200 for whoever may ask, and as its schema says', async (_, op) => {
    const reply = await askAs(op, { params: await paramsFor(op, ours), query: queryFor(op) })
    expect(reply.status).toBe(200)
    expect(() => op.returns.parse(reply.body)).not.toThrow()
  })
})

// More than there are clients, so that one who asks for a second waits for itself.
const AT_ONCE = breadth(3, 20)

describe('many of the same at once', () => {
  const reads = guarded.filter((op) => op.method === 'GET' && ![...writing, ...rowInQuery].includes(op.name))
  const nowhere = (params: Record<string, Id>) =>
    Object.fromEntries(
      Object.entries(params).map(([name, id]) => [
        name,
        typeof id === 'number' ? 999_999_999 : id.replace(/.{6}$/, '000000'),
      ]),
    )

  test.each(table(reads))('%s is answered on two clients, though nothing is cached', async (_, op) => {
    const params = await paramsFor(op, ours)
    for (const given of parametersOf(op).length > 0 ? [params, nowhere(params)] : [params]) {
      const { actors, settings, installation, revokedSessions } = product().platform
      for (const cache of [actors, settings, installation, revokedSessions]) cache.clear()
      const asked = Array.from({ length: AT_ONCE }, () => askAs(op, { params: given, query: queryFor(op) }))
      const statuses = new Set((await Promise.all(asked)).map(({ status }) => status))
      expect([...statuses]).toEqual([given === params ? 200 : expect.toSatisfy((status) => status < 500)])
    }
  })
})
