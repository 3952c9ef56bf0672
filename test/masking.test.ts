import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { io, type Socket } from 'socket.io-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Profile } from '#domain/access/profiles.ts'
import { contacts } from '#features/contacts/contract.ts'
import { lab } from '#features/lab/contract.ts'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { messages } from '#features/messages/contract.ts'
import type { Operation } from '#kit/contract.ts'
import { PERMISSIONS, type Permission } from '#kit/permissions.ts'
import { allRoutes } from '#server/app.ts'
import { make } from '#test/make.ts'
import { bodyFor, type Owner, queryFor, rowMakers } from '#test/operations.ts'
import { testChannel, textEvent } from '#test/peers/channel.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'

/**
 * Product of the masking tests: restricted people of each role call every operation of every contract, each time after an
 * unrestricted person, and listen to events; no customer data of the company may reach them. New operations, events and
 * customer columns are covered automatically.
 */
const product = withProduct()
const m = () => make(product().platform)
const { paramsFor } = rowMakers(product)
const operations = allRoutes()
  .map(({ op }) => op)
  .filter(({ can }) => can !== 'public' && !can.startsWith('platform:'))

/** Text within every secret that no mask may leave; numbers and documents contain `DIGITS`, in any format. */
const MARK = 'Sigilo'
const DIGITS = '6677889900'
const given = new RegExp(`${MARK}|${[...DIGITS].join('[^0-9a-f]?')}`, 'i')

const PICTURE = randomUUID()

/** Customer data by table and column, as SQL over the row; null for columns that identify no person. */
const secrets: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  contacts: {
    name: `'Fulano ${MARK} ' || id`,
    number: `'5527${DIGITS}' || id`,
    email: `'cliente' || id || '@${MARK.toLowerCase()}.dev'`,
    cpf: `'${DIGITS}1'`,
    first_name: `'Fulano ${MARK} ' || id`,
    last_name: `'${MARK} ' || id`,
    business_name: `'Firma ${MARK} ' || id`,
    birthday_date: `'1980-01-01 ${MARK}'`,
    profile_pic_file: `'${PICTURE}'`,
    kanban_order: null,
    pushname: `'Fulano ${MARK} ' || id`,
    merge_state: `jsonb_build_object('own', jsonb_build_object('name', '${MARK} ' || id), 'shown', '{}'::jsonb, 'edits', '{}'::jsonb)`,
    extra_info: `jsonb_build_array(jsonb_build_object('id', 'x', 'name', 'Cor', 'value', '${MARK} ' || id))`,
  },
  contact_field_values: { value: `'${MARK} ' || contact_id` },
  contact_changes: { field: null, before: `'${MARK} ' || id`, after: `'${MARK} ' || id` },
  contact_identities: { channel: null, proof: null, identity: `'5527${DIGITS}' || contact_id` },
  lab_phones: { name: `'Fulano ${MARK} ' || id`, number: `'5528${DIGITS}' || id`, faults: null, description: null },
  webchat_visitors: {
    name: `'Fulano ${MARK}'`,
    page: `'https://loja.dev/${MARK}'`,
    form: `jsonb_build_object('name', 'Fulano ${MARK}')`,
    consent: null,
    language: null,
  },
}

type Person = Owner & { profile: Profile; socket?: Socket; heard: unknown[] }
let tenantId: number
let queueId: number
let free: Person
let restricted: Person[]
/** Secrets in responses and events of the unrestricted person, which the masks had to hide. */
const shown = new Set<string>()
const leaks: string[] = []

async function person(profile: Profile, isRestricted: boolean): Promise<Person> {
  const { id } = await m().user(tenantId, { profile, queues: [queueId] })
  if (isRestricted)
    await product().platform.db.asPlatform((db) =>
      db.updateTable('users').set({ restricted_user: true }).where('id', '=', id).execute(),
    )
  return { tenantId, userId: id, profile, heard: [] }
}

const tokenOf = ({ userId }: Person) => m().token({ id: userId, tenantId })

const tokens = new Map<Person, string>()

/** Calls an operation as a person, with a new session where an operation ended the earlier one. */
async function askAs(who: Person, op: Operation, input: object) {
  const known = tokens.get(who)
  const reply = known ? await call(product(), op, known, input) : undefined
  if (reply && reply.status !== 401) return reply
  const token = await tokenOf(who)
  tokens.set(who, token)
  return call(product(), op, token, input)
}

/** Opens a person's socket, again if an operation ended its session. */
async function listen(who: Person): Promise<void> {
  if (who.socket?.connected) return
  const auth = { token: await tokenOf(who) }
  const socket = io(product().address, { auth, transports: ['websocket'], reconnection: false, forceNew: true })
  socket.onAny((...event) => who.heard.push(event))
  await new Promise((resolve) => socket.once('connect', () => resolve(null)))
  who.socket = socket
}

/** Number of writing operations between two runs of `hide`. */
const AT_ONCE = 16

/** Number of secrets so far. */
let hidden = 0

/** Marks all present customer data of the company as secrets. */
async function hide(): Promise<void> {
  await product().platform.db.asPlatform(async (db) => {
    for (const [table, columns] of Object.entries(secrets)) {
      const told = Object.entries(columns).filter(([, value]) => value)
      const [names, values] = [told.map(([name]) => name).join(), told.map(([, value]) => value).join()]
      const { numAffectedRows = 0n } = await sql
        .raw(
          `update ${table} set (${names}) = row(${values})
           where tenant_id = ${tenantId} and row(${names}) is distinct from row(${values})`,
        )
        .execute(db)
      hidden += Number(numAffectedRows) * told.length
    }
  })
}

/** Returns who may call an operation, the unrestricted person first. The matrix holds that others get 403. */
const callersOf = ({ can }: Operation): Person[] =>
  [free, ...restricted].filter(
    ({ profile }) => can === 'session' || PERMISSIONS[can as Permission].profiles.includes(profile),
  )

/** Creates for each caller a row for each name in an operation's address, and a ticket; all of them listen to events. */
async function prepare(op: Operation): Promise<Map<Person, object>> {
  const rows = new Map<Person, object>()
  const one = async (who: Person) => {
    rows.set(who, await paramsFor(op, who))
    await m().ticket(who.tenantId, { user_id: who.userId, status: 'open' })
    await listen(who)
  }
  await Promise.all(callersOf(op).map(one))
  return rows
}

/** Calls an operation as each person who may, the unrestricted one first. */
async function askAll(op: Operation, rows: ReadonlyMap<Person, object>): Promise<void> {
  const query = { ...queryFor(op), ...(op.path === '/tickets' && { status: 'open' }) }
  for (const who of callersOf(op)) {
    const input = { params: rows.get(who), body: bodyFor(op), query }
    const { status, body } = await askAs(who, op, input)
    expect(status, op.name).not.toBe(500)
    note(`${op.name} as ${who.profile}`, who, body)
  }
}

function note(about: string, who: Person, value: unknown): void {
  if (!given.test(JSON.stringify(value ?? null))) return
  if (who === free) shown.add(about)
  else leaks.push(about)
}

beforeAll(async () => {
  testChannel(product().platform)
  tenantId = await m().tenant()
  queueId = await m().queue(tenantId)
  await product().platform.db.asPlatform((db) =>
    db
      .insertInto('files')
      .values({
        tenant_id: tenantId,
        id: PICTURE,
        sha256: '0'.repeat(64),
        path: `${tenantId}/2026/01/${'0'.repeat(64)}`,
        name: `${MARK}.png`,
        mime: 'image/png',
        size: 1,
      })
      .execute(),
  )
  free = await person('admin', false)
  restricted = [await person('user', true), await person('super', true), await person('admin', true)]
  // A row of every kind, so that every list has one.
  for (const op of operations) await paramsFor(op, free)
})
afterAll(() => {
  for (const { socket } of [free, ...restricted]) socket?.close()
})

test('every column that may tell of a customer is known here', async () => {
  const { rows } = await product().platform.db.asPlatform((db) =>
    sql<{ name: string }>`select c.relname || '.' || a.attname as name from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      where c.relnamespace = 'public'::regnamespace and c.relname = any(${Object.keys(secrets)}::text[])
        and format_type(a.atttypid, null) in ('text', 'jsonb', 'date')`.execute(db),
  )
  const listed = Object.entries(secrets).flatMap(([table, columns]) =>
    Object.keys(columns).map((name) => `${table}.${name}`),
  )
  expect(listed).toEqual(expect.arrayContaining(rows.map(({ name }) => name)))
})

test('what happens in a conversation reaches them masked, live and after an absence', async () => {
  const everybody = [free, ...restricted]
  for (const who of everybody) await listen(who)
  const connectionId = await m().connection(tenantId, { type: 'test', queue_id: queueId })
  const event = textEvent({ from: `5529${DIGITS}1`, name: `Fulano ${MARK} novo`, body: 'Bom dia', id: randomUUID() })
  await receive(product().platform, { tenantId, connectionId }, [event])
  await ingestIdle(product().platform)
  await until(() => everybody.every(({ heard }) => JSON.stringify(heard).includes('Bom dia')))
  for (const who of everybody) {
    note('heard live', who, who.heard)
    const token = await tokenOf(who)
    for (let after = 0, hasMore = true; hasMore; ) {
      const { body } = await call(product(), messages.changes, token, { query: { after } })
      const page = body
      note('heard later', who, page.changes)
      hasMore = page.hasMore === true
      after = page.lastSeq
    }
  }
  expect(leaks).toEqual([])
  expect([...shown]).toEqual(expect.arrayContaining(['heard live', 'heard later']))
})

test('no operation and no event tells a restricted person what a customer’s name, number, address or document is', async () => {
  const rank = ({ method }: Operation): number => ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].indexOf(method)
  const sorted = operations.toSorted((a, b) => rank(a) - rank(b))
  const isRead = ({ method }: Operation): boolean => method === 'GET'
  const read = []
  for (const op of sorted.filter(isRead)) read.push([op, await prepare(op)] as const)
  await hide()
  for (const [op, rows] of read) await askAll(op, rows)
  const writing = sorted.filter((op) => !isRead(op))
  for (let at = 0; at < writing.length; at += AT_ONCE) {
    const prepared = []
    for (const op of writing.slice(at, at + AT_ONCE)) prepared.push([op, await prepare(op)] as const)
    await hide()
    for (const [op, rows] of prepared) await askAll(op, rows)
  }
  for (const who of [free, ...restricted]) note('heard', who, who.heard)
  expect(hidden).toBeGreaterThan(881)
  expect(leaks).toEqual([])
  expect([...shown]).toEqual(
    expect.arrayContaining(
      ['tickets.list', 'tickets.get', 'contacts.list', 'evaluations.list', 'lab.list'].map(
        (name) => `${name} as admin`,
      ),
    ),
  )
}, 600_000)

test('a restricted person neither reads the lab nor speaks there as a customer', async () => {
  for (const who of restricted) {
    const token = await tokenOf(who)
    for (const op of Object.values(lab)) {
      const params = await paramsFor(op, free)
      const reply = await call(product(), op, token, { params, body: bodyFor(op), query: queryFor(op) } as never)
      expect([op.name, reply.status]).toEqual([op.name, 403])
    }
    expect((await call(product(), contacts.list, token, {})).status).toBe(403)
  }
})
