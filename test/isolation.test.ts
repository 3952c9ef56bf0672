import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { io, type Socket } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROFILES, type Profile } from '#domain/access/profiles.ts'
import { tags } from '#features/catalog/tags.ts'
import { tickets } from '#features/tickets/contract.ts'
import type { Operation } from '#kit/contract.ts'
import { PERMISSIONS } from '#kit/permissions.ts'
import { allRoutes } from '#server/app.ts'
import { databaseUrls } from '#server/db/roles.ts'
import { features } from '#server/features.ts'
import { fileUrl } from '#server/files/store.ts'
import { withSamples } from '#test/features/samples/product.ts'
import { type Attack, attacksOn } from '#test/isolation/inputs.ts'
import { type Condition, withoutConditions } from '#test/isolation/mutants.ts'
import { fillCompany, type Marks, mixedRows, sumsOf, tablesOf } from '#test/isolation/rows.ts'
import { make } from '#test/make.ts'
import { writing } from '#test/operations.ts'
import { inputSchema } from '#test/sample.ts'
import { call, ownProduct, testSecrets } from '#test/server.ts'
import { inTurn } from '#test/setup/breadth.ts'

/** Walls that are down are up again before another test begins, however slow the machine is. */
const SLOW = 600_000

/**
 * Marks of our company. Both companies have a row of every kind; users of ours call every operation for every row of the
 * other, in every place where a request can name one. Operations and tables come from the contracts and the catalogue.
 */
const ours: Marks = { id: 500_005, uuid: '0194aaaa-0000-7000-8000-00000000000a', word: 'nossapropria', isPlain: true }
const theirs: Marks = { id: 700_007, uuid: '0194bbbb-0000-7000-8000-00000000000b', word: 'zqvizinha' }
const operations = allRoutes([...features, withSamples.more.feature]).map(({ op }) => op)
const product = ownProduct('its walls are taken down', withSamples)
let owner: pg.Pool
let tables: Awaited<ReturnType<typeof tablesOf>>
const people = {} as Record<Profile, { id: number; tenantId: number }>

beforeAll(async () => {
  owner = new pg.Pool({ connectionString: product().ownerUrl, max: 4 })
  tables = await tablesOf(owner)
  for (const marks of [ours, theirs]) await fillCompany(owner, tables, marks)
  for (const profile of PROFILES) people[profile] = await make(product().platform).user(ours.id, { profile })
})
afterAll(() => owner.end())

const tokenOf = (profile: Profile): Promise<string> => make(product().platform).token(people[profile])
const mayAsk = (op: Operation, profile: Profile): boolean =>
  op.can === 'public' || op.can === 'session' || PERMISSIONS[op.can].profiles.includes(profile)

/** Returns the values of the other company in a response: its word, its UUID, and in reads its number. */
function leaksIn(op: Operation, text: string): string[] {
  const found = [theirs.word, theirs.uuid].filter((mark) => text.includes(mark))
  return op.method === 'GET' && new RegExp(`\\b${theirs.id}\\b`).test(text) ? [...found, String(theirs.id)] : found
}

type Outcome = { op: string; profile: Profile; attack: Attack; status: number; leaks: string[] }

async function attackWith(op: Operation, profile: Profile, attacks: readonly Attack[]): Promise<Outcome[]> {
  let token = op.can === 'public' ? null : await tokenOf(profile)
  const outcomes: Outcome[] = []
  for (const attack of attacks) {
    const { about: _, isForeign: __, ...input } = attack
    let reply = await call(product(), op, token, input)
    // Some operations end the session that asks.
    if (reply.status === 401 && token) {
      token = await tokenOf(profile)
      reply = await call(product(), op, token, input)
    }
    const text = JSON.stringify(reply.body)
    outcomes.push({ op: op.name, profile, attack, status: reply.status, leaks: leaksIn(op, text) })
  }
  return outcomes
}

/** Every attack on the operations by every role; roles without the permission try the address alone. */
async function attackAll(ops: readonly Operation[], profiles: readonly Profile[] = PROFILES): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const work = ops.flatMap((op) =>
    (op.can === 'public' ? profiles.slice(0, 1) : profiles)
      // The superadmin runs the installation: there other companies are what it is about.
      .filter((profile) => !(profile === 'superadmin' && (op.can.startsWith('platform:') || op.family === 'companies')))
      .map((profile) => ({ op, profile })),
  )
  const next = async () => {
    for (let one = work.shift(); one; one = work.shift()) {
      const attacks = attacksOn(one.op, ours, theirs)
      const some = mayAsk(one.op, one.profile) ? attacks : attacks.slice(0, 2)
      outcomes.push(...(await attackWith(one.op, one.profile, some)))
      if (one.op.method !== 'GET') await forgetSettings()
    }
  }
  await Promise.all([next(), next(), next(), next()])
  return outcomes
}

/** Removes the company's settings, so that those of one operation do not protect it from the next. */
async function forgetSettings(): Promise<void> {
  const { rowCount } = await owner.query('delete from settings where tenant_id = $1 and key <> $2', [
    ours.id,
    `${ours.word}-settings-key`,
  ])
  if (rowCount) product().platform.settings.delete(String(ours.id))
}

const told = ({ op, profile, attack, status, leaks }: Outcome): string =>
  `${op} as ${profile} (${attack.about}): ${status} ${leaks.join(' ')}`
const isRead = (op: Operation) => op.method === 'GET' && !writing.includes(op.name)
const reads = operations.filter(isRead)
const rank = (op: Operation): number =>
  op.method === 'DELETE' ? 2 : /settings|secondFactor|tenants|plans/i.test(op.family) ? 1 : 0
const writes = operations.filter((op) => !isRead(op)).sort((a, b) => rank(a) - rank(b))

/** Repeats the reads of a company for the roles with the widest and the narrowest view. */
const readAgain = (profiles: readonly Profile[] = ['admin', 'user'], from = reads): Promise<Outcome[]> =>
  attackAll(
    from.filter((op) => !op.can.startsWith('platform:')),
    profiles,
  )
/** Reads with a search term. */
const searching = reads.filter(({ query }) =>
  Object.values(query ? (inputSchema(query).properties ?? {}) : {}).some((one) => isText(one)),
)
function isText({ type, anyOf = [], ...rest }: ReturnType<typeof inputSchema>): boolean {
  return (type === 'string' && !rest.format && !rest.enum) || anyOf.some(isText)
}

describe('the walls of the database alone', () => {
  const mutations: [string, Condition[]][] = [
    ['any condition on the tenant', ['value', 'function', 'join']],
    ['the conditions by function', ['function']],
    ['the conditions between tables', ['join']],
  ]
  it.each(inTurn(mutations))(
    'hold when our own statements lack %s',
    async (_, kinds) => {
      let outcomes: Outcome[] = []
      const mutants = await withoutConditions(kinds, async () => {
        outcomes = await readAgain()
      })
      expect(mutants).toBeGreaterThan(0)
      expect(outcomes.filter(({ leaks }) => leaks.length > 0).map(told)).toEqual([])
      expect(outcomes.filter(({ attack, status }) => attack.isForeign && status === 200).map(told)).toEqual([])
    },
    SLOW,
  )

  it(
    'hold when the functions that search lack theirs',
    async () => {
      const { rows } = await owner.query<{ definition: string }>(
        `select pg_get_functiondef(p.oid) as definition from pg_proc p
       where p.pronamespace = 'app'::regnamespace and p.proowner = 'guiche_search'::regrole`,
      )
      expect(rows.length).toBeGreaterThan(0)
      const without = rows.map(({ definition }) =>
        definition
          .replaceAll(/(\w+\.)?tenant_id = (app\.tenant\(\)|%s)/g, (_, __, right) =>
            right === '%s' ? '%s is not null' : 'true',
          )
          .replace(/^CREATE OR REPLACE/, 'create or replace'),
      )
      const grant = 'grant create on schema app to guiche_search'
      try {
        await owner.query(grant)
        for (const [index, definition] of without.entries()) {
          expect(definition).not.toBe(rows[index]!.definition)
          await owner.query(definition)
        }
        const outcomes = await readAgain(['admin', 'user'], searching)
        const asked = [...new Set(outcomes.map(({ op }) => op))]
        expect(asked).toEqual(expect.arrayContaining(['contacts.list', 'tickets.list', 'messages.search']))
        expect(outcomes.filter(({ leaks }) => leaks.length > 0).map(told)).toEqual([])
      } finally {
        for (const { definition } of rows) await owner.query(definition)
        await owner.query('revoke create on schema app from guiche_search')
      }
    },
    SLOW,
  )

  it(
    'are what holds: without them this test finds what leaks',
    async () => {
      const open = tables.map(({ name }) => `alter table ${name} disable row level security`)
      const shut = tables.map(({ name }) => `alter table ${name} enable row level security`)
      let outcomes: Outcome[] = []
      try {
        await owner.query(open.join(';'))
        await withoutConditions(['value', 'function', 'join'], async () => {
          outcomes = await readAgain(['admin'])
        })
      } finally {
        await owner.query(shut.join(';'))
      }
      const leaking = new Set(outcomes.filter(({ leaks }) => leaks.length > 0).map(({ op }) => op))
      expect(leaking.size).toBeGreaterThan(10)
      expect([...leaking]).toEqual(
        expect.arrayContaining(['contacts.list', 'contacts.get', 'tickets.list', 'users.list']),
      )
    },
    SLOW,
  )
})

describe('every operation, asked for every row of another company by every role', () => {
  const all: Outcome[] = []
  let before: Record<string, string>
  const own: Record<string, string>[] = []
  beforeAll(async () => {
    before = await sumsOf(owner, tables, theirs.id)
    own.push(await sumsOf(owner, tables, ours.id))
    all.push(...(await attackAll(reads)))
    own.push(await sumsOf(owner, tables, ours.id))
    all.push(...(await attackAll(writes)))
  }, SLOW)

  it('tries enough of them, and those that may be asked do answer', () => {
    expect(all.length).toBeGreaterThan(600)
    const answered = new Set(all.filter(({ status }) => status === 200 || status === 409).map(({ op }) => op))
    const silent = reads.filter(
      (op) => op.can !== 'public' && !op.can.startsWith('platform:') && !answered.has(op.name),
    )
    // Operations whose addresses need more than an id: a second row, a mail ticket, a row named in the query, a number or a
    // contact.
    const wanting = [
      ...[
        'calendarAccounts.get',
        'consents.list',
        'settings.get',
        'contacts.byNumber',
        'contacts.previewMerge',
        'flows.version',
        'providers.get',
      ],
      ...['messages.formatted', 'tickets.answer', 'tickets.reach'],
      'opportunities.column',
      // A dispatch of the list, and a team that one is in.
      ...['dispatches.contacts', 'dispatches.get', 'privateChat.groups'],
      // The channel is in the query.
      ...['groupTools.exportParticipants', 'groupTools.get', 'groupTools.ids', 'groupTools.list'],
      'groupTools.participants',
    ]
    expect(silent.map((op) => op.name).sort()).toEqual(wanting.sort())
  })

  it('gives nothing of theirs away', () => {
    expect(all.filter(({ leaks }) => leaks.length > 0).map(told)).toEqual([])
  })

  it('answers as if it were not there', () => {
    const wrong = all.filter(
      ({ op, profile, attack, status }) =>
        attack.isForeign &&
        ![400, 404].includes(status) &&
        // Visitors have separate tokens.
        !(op.startsWith('webchat.') && status === 401) &&
        mayAsk(operations.find(({ name }) => name === op)!, profile) &&
        status !== 403,
    )
    expect(wrong.map(told)).toEqual([])
    const refused = all.filter(
      ({ op, profile, status }) => !mayAsk(operations.find(({ name }) => name === op)!, profile) && status !== 403,
    )
    expect(refused.map(told)).toEqual([])
  })

  it('is never surprised', () => {
    expect(all.filter(({ status }) => status >= 500).map(told)).toEqual([])
  })

  it('changes nothing of ours by reading', () => {
    const [early, late] = own as [Record<string, string>, Record<string, string>]
    // The sessions of those who ask, and whose refused attempts are on record.
    const aside = { sessions: '', audit_log: '', audit_heads: '' }
    expect({ ...late, ...aside }).toEqual({ ...early, ...aside })
  })

  it('changes nothing of theirs, and ties nothing of ours to it', async () => {
    expect(await sumsOf(owner, tables, theirs.id)).toEqual(before)
    expect(await mixedRows(owner, tables, ours.id, theirs)).toEqual([])
  })
})

describe('the application’s role, with a tenant of ours set', () => {
  let app: pg.Client
  beforeAll(async () => {
    const { app: connectionString } = databaseUrls(product().ownerUrl, { DB_ROLE_PREFIX: 'guiche' }, testSecrets)
    app = new pg.Client({ connectionString })
    await app.connect()
    await app.query(`select set_config('app.tenant_id', $1, false)`, [String(ours.id)])
  })
  afterAll(() => app.end())

  it('reaches no row of theirs by any kind of statement', async () => {
    const before = await sumsOf(owner, tables, theirs.id)
    const t = String(theirs.id)
    const where = `where tenant_id = ${t}`
    let tried = 0
    for (const { name, columns } of tables) {
      const all = columns.map((column) => `"${column.name}"`).join(', ')
      const others = columns
        .filter((column) => column.name !== 'tenant_id')
        .map((column) => `"${column.name}"`)
        .join(', ')
      for (const statement of [
        `select * from ${name} ${where}`,
        `select * from ${name} where tenant_id <> ${ours.id}`,
        `select * from ${name} ${where} for update`,
        `select * from (select * from ${name} offset 0) x ${where}`,
        `select * from tenants join ${name} on tenants.id <> ${name}.tenant_id`,
        `update ${name} set tenant_id = ${ours.id} ${where} returning *`,
        `delete from ${name} ${where} returning *`,
        `delete from ${name} using tenants where ${name}.tenant_id = ${t} returning 1`,
        `with x as (select * from ${name} ${where}) select * from x`,
        `insert into ${name} (tenant_id, ${others}) overriding system value select ${t}, ${others} from ${name} returning *`,
        `insert into ${name} (${all}) overriding system value select ${all} from ${name} on conflict do nothing returning tenant_id`,
        `merge into ${name} using (select ${t}::bigint as id) x on ${name}.tenant_id = x.id when matched then delete`,
      ]) {
        tried++
        await app.query('begin')
        const got = await app.query(statement).catch((error: Error) => error)
        await app.query('rollback')
        if (got instanceof Error)
          expect(got.message, statement).toMatch(/permission denied|row-level security|only added to|GENERATED/i)
        else expect([statement, got.rowCount]).toEqual([statement, 0])
      }
    }
    expect(tried).toBeGreaterThan(300)
    expect(await sumsOf(owner, tables, theirs.id)).toEqual(before)
  })

  it('gets nothing of theirs out of any function', async () => {
    const { rows } = await owner.query<{ name: string; types: string[] }>(
      `select p.proname as name, array(select format_type(t, null) from unnest(p.proargtypes) t) as types from pg_proc p
       where p.pronamespace = 'app'::regnamespace and p.provolatile <> 'i' and p.prorettype <> 'trigger'::regtype
         and has_function_privilege('guiche_app', p.oid, 'execute')`,
    )
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(['search_contacts', 'search_messages']))
    const values: Readonly<Record<string, unknown[]>> = {
      text: [theirs.word, 'login', ''],
      bigint: [theirs.id, null],
      uuid: [theirs.uuid],
      integer: [100],
      json: [JSON.stringify({ tenantId: theirs.id })],
      jsonb: [JSON.stringify([])],
      'bytea[]': [[Buffer.from('x')]],
    }
    for (const { name, types } of rows) {
      const most = Math.max(1, ...types.map((type) => values[type]?.length ?? 1))
      for (let n = 0; n < most; n++) {
        const given = types.map((type) => values[type]?.[Math.min(n, values[type].length - 1)] ?? null)
        const places = types.map((type, index) => `$${index + 1}::${type}`).join(', ')
        await app.query('begin')
        const got = await app.query(`select * from app.${name}(${places})`, given).catch((error: Error) => error)
        await app.query('rollback')
        const text = got instanceof Error ? '' : JSON.stringify(got.rows)
        expect([
          name,
          text.includes(theirs.word),
          text.includes(theirs.uuid),
          text.includes(String(theirs.id)),
        ]).toEqual([name, false, false, false])
      }
    }
  })
})

it('a link to a file of ours opens none of theirs', async () => {
  const { platform, address } = product()
  const status = async (path: string) => (await fetch(address + path)).status
  const [, , , claim, name] = fileUrl(platform, ours.id, ours.uuid, 'a.txt').split('/')
  const [tenant, id, until, signature] = claim!.split('.')
  for (const parts of [
    [theirs.id, id, until, signature],
    [tenant, theirs.uuid, until, signature],
    [theirs.id, theirs.uuid, until, signature],
    [theirs.id, theirs.uuid, until, ''],
    [`${tenant}.${theirs.id}`, theirs.uuid, until, signature],
  ])
    expect([parts, await status(`/api/files/${parts.join('.')}/${name}`)]).toEqual([parts, 404])
})

describe('sockets of ours', () => {
  const open: Socket[] = []
  afterAll(() => {
    for (const socket of open) socket.close()
  })

  /** Every event that the server listens to, as it is written in its source. */
  const listened = (): string[] => {
    const files = ['src/server/realtime', 'src/features'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter(
          (file) =>
            /(^|\/)(server|realtime)\/|^[\w-]+\.ts$/.test(file) && !file.endsWith('.test.ts') && file.endsWith('.ts'),
        )
        .map((file) => `${folder}/${file}`),
    )
    const names = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/socket\.on\(['`](?:\$\{[^}]+\}:)?(\w+)['`]/g)].map(([, name]) => name!),
    )
    return [...new Set(names)].filter((name) => name !== 'disconnect')
  }

  it('hear nothing of theirs, whatever they ask for', async () => {
    const heard: unknown[] = []
    for (const profile of PROFILES) {
      const socket = io(product().address, {
        auth: { token: await tokenOf(profile) },
        transports: ['websocket'],
        reconnection: false,
        forceNew: true,
      })
      open.push(socket)
      socket.onAny((...event) => heard.push(event))
      await new Promise((resolve) => socket.on('connect', () => resolve(null)))
    }
    const names = listened()
    expect(names).toEqual(expect.arrayContaining(['joinChatBox', 'renew', 'setUserActive']))
    for (const socket of open)
      for (const name of names)
        for (const event of [name, `${theirs.id}:${name}`, `${ours.id}:${name}`])
          for (const given of [theirs.id, String(theirs.id), theirs.uuid, { tenantId: theirs.id, ticketId: theirs.id }])
            socket.emit(event, given)
    await wait(100)
    expect(open.every((socket) => socket.connected)).toBe(true)
    heard.length = 0
    // Life goes on next door, and here: what is ours arrives.
    const neighbour = await make(product().platform).user(theirs.id, { profile: 'admin' })
    const create = async (token: string) =>
      call(product(), tags.ops.create, token, { body: { tag: `${theirs.word} nova` } })
    const token = await make(product().platform).token(neighbour)
    expect((await create(token)).status).toBe(200)
    const move = { params: { id: theirs.id }, body: { isTransference: true, userId: neighbour.id } as never }
    expect((await call(product(), tickets.update, token, move)).status).toBe(200)
    expect((await create(await tokenOf('admin'))).status).toBe(200)
    await expect.poll(() => heard.length).toBeGreaterThanOrEqual(PROFILES.length)
    await wait(200)
    expect(JSON.stringify(heard)).not.toMatch(new RegExp(`${theirs.uuid}|\\b${theirs.id}\\b`))
  })
})
