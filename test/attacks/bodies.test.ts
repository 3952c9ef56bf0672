import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import type { Profile } from '#domain/access/profiles.ts'
import { pathOf } from '#kit/addresses.ts'
import type { Operation } from '#kit/contract.ts'
import { PERMISSIONS } from '#kit/permissions.ts'
import { allRoutes } from '#server/app.ts'
import { attacksOn } from '#test/isolation/inputs.ts'
import { fillCompany, type Marks, sumsOf, tablesOf } from '#test/isolation/rows.ts'
import { make } from '#test/make.ts'
import { inputSchema, sample } from '#test/sample.ts'
import { withProduct } from '#test/server.ts'

/** Bodies that hold more than they should, or come as a browser's form would send them; for every operation, from its contract. */
const ours: Marks = { id: 530_003, uuid: '0194cccc-0000-7000-8000-00000000000c', word: 'propria', isPlain: true }
const INTRUDER = 'intrusavalor'
const product = withProduct()
const withBody = allRoutes()
  .map(({ op }) => op)
  .filter((op) => op.body)
let owner: pg.Pool
let tables: Awaited<ReturnType<typeof tablesOf>>
let names: string[]

beforeAll(async () => {
  owner = new pg.Pool({ connectionString: product().ownerUrl, max: 2 })
  tables = await tablesOf(owner)
  await fillCompany(owner, tables, ours)
  // The names of all columns, in both spellings: an attacker may try to set any of them.
  const columns = await owner.query<{ name: string }>(
    `select distinct attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0`,
  )
  const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  names = [...new Set(columns.rows.flatMap(({ name }) => [name, camel(name)]))]
})
afterAll(() => owner.end())

type Schema = ReturnType<typeof inputSchema>

/** Valid values that the schema alone does not show, by field name. */
const known: Readonly<Record<string, unknown>> = {
  email: 'pessoa@teste.dev',
  emailFrom: 'pessoa@teste.dev',
  to: 'pessoa@teste.dev',
  issuer: 'https://contas.teste.dev',
  cpfCnpj: '529.982.247-25',
  mobilePhone: '11987654321',
  phone: '19998124407',
  // Opaque on purpose: only its author reads it back (decision A32).
  filtrosAtendimento: 'não é lido',
}

/** Returns a value with every field of the schema. */
function full(schema: Schema): unknown {
  if (schema.oneOf) return full(schema.oneOf[0] ?? {})
  if (schema.anyOf) return full(schema.anyOf.find((one) => one.type !== 'null') ?? {})
  if (schema.type === 'array') return schema.items ? [full(schema.items)] : []
  if (schema.type === 'object' && schema.properties)
    return Object.fromEntries(Object.entries(schema.properties).map(([key, one]) => [key, known[key] ?? full(one)]))
  try {
    return sample(schema)
  } catch {
    return 'texto'
  }
}

/** Returns a valid body of the operation with all of its fields. */
function bodyOf(op: Operation): unknown {
  const all = full(inputSchema(op.body!))
  if (op.body!.safeParse(all).success || Array.isArray(all)) return all
  const { required = [] } = inputSchema(op.body!)
  let body = Object.fromEntries(Object.entries(all as object).filter(([key]) => required.includes(key)))
  for (const [key, value] of Object.entries(all as object))
    if (op.body!.safeParse({ ...body, [key]: value }).success) body = { ...body, [key]: value }
  return body
}

/** Returns a value with an unknown field for every column, in the objects at this depth. */
function intruded(value: unknown, depth: number): unknown {
  if (Array.isArray(value)) return value.map((one) => intruded(one, depth))
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0)
    return { ...Object.fromEntries(names.filter((name) => !(name in value)).map((name) => [name, INTRUDER])), ...value }
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, intruded(one, depth - 1)]))
}

/**
 * Returns a new token of the company's user, in a role with the permission, so that the user's own rows are attacked too.
 */
async function tokenFor(op: Operation): Promise<string> {
  const allowed: readonly Profile[] =
    op.can === 'public' || op.can === 'session' ? ['admin'] : PERMISSIONS[op.can].profiles
  const profile = allowed.includes('admin') ? 'admin' : 'superadmin'
  const { rowCount } = await owner.query('update users set profile = $1 where id = $2 and profile <> $1', [
    profile,
    ours.id,
  ])
  if (rowCount) product().platform.actors.delete(`${ours.id}:${ours.id}`)
  return make(product().platform).token({ id: ours.id, tenantId: ours.id })
}

async function send(op: Operation, body: string, type: string): Promise<number> {
  const token = await tokenFor(op)
  const params = attacksOn(op, ours, ours)[0]?.params
  const headers = { 'content-type': type, ...(op.can === 'public' ? {} : { authorization: `Bearer ${token}` }) }
  const init = { method: op.method, headers, body }
  return (await fetch(`${product().address}/api${pathOf(op.path, params)}`, init)).status
}

/** Returns the tables that contain a value of the intruder. */
async function stored(): Promise<string[]> {
  const all = [...tables.map(({ name }) => name), 'tenants', 'directory', 'installation', 'platform_audit_log', 'plans']
  const counts = all.map(
    (name) => `select '${name}' as tab, count(*)::int as n from ${name} t where t::text ilike '%${INTRUDER}%'`,
  )
  const { rows } = await owner.query<{ tab: string; n: number }>(counts.join(' union all '))
  return rows.filter(({ n }) => n > 0).map(({ tab }) => tab)
}

test('the bodies are good, but for what is wrong in them', () => {
  const bad = withBody.filter((op) => !op.body!.safeParse(bodyOf(op)).success)
  // Lists without duplicate days, marks or options, keys that are points of a curve, an end after its beginning.
  expect(bad.map((op) => op.name).sort()).toEqual([
    ...[
      'contactViews.create',
      'contactsBulk.start',
      'flowReplays.create',
      'hours.setWeek',
      'messageTemplates.create',
      'messages.poll',
      'push.subscribe',
      'ratings.set',
    ],
  ])
})

describe('fields that nobody asked for', () => {
  it.each([
    ['in a body', 0],
    ['inside a body', 1],
    ['deep inside a body', 2],
  ])(
    '%s are refused or ignored, never stored',
    async (_, depth) => {
      const wrong: string[] = []
      let sent = 0
      for (const op of withBody) {
        const body = JSON.stringify(intruded(bodyOf(op), depth))
        if (!body.includes(INTRUDER)) continue
        sent++
        const status = await send(op, body, 'application/json')
        if (status >= 500) wrong.push(`${op.name} ${status}`)
      }
      expect(sent).toBeGreaterThan([60, 3, 1][depth]!)
      expect([wrong, await stored()]).toEqual([[], []])
    },
    180_000,
  )

  it('do not reach the prototype', async () => {
    const bad: string[] = []
    for (const op of withBody) {
      const body = `{"__proto__":{"profile":"superadmin"},"constructor":{"prototype":{"profile":"superadmin"}}}`
      const status = await send(op, body, 'application/json')
      if (status !== 400) bad.push(`${op.name} ${status}`)
    }
    expect(bad).toEqual([])
    expect(({} as { profile?: string }).profile).toBeUndefined()
  })
})

describe('what the form of another site can send', () => {
  it.each(['text/plain', 'application/x-www-form-urlencoded', 'text/plain; application/json', ''])(
    'as “%s” changes nothing',
    async (type) => {
      const before = await sumsOf(owner, tables, ours.id)
      const wrong: string[] = []
      for (const op of withBody) {
        const status = await send(op, JSON.stringify(bodyOf(op)), type)
        // What takes any type is guarded by its address alone.
        const expected = op.takesAny ? [404] : [400, 401, 415]
        if (!expected.includes(status)) wrong.push(`${op.name} ${status}`)
      }
      expect(wrong).toEqual([])
      const after = await sumsOf(owner, tables, ours.id)
      // Their sessions and roles were made for it.
      const aside = { sessions: null, users: null }
      expect({ ...after, ...aside }).toEqual({ ...before, ...aside })
    },
  )
})
