import { PROFILES, type Profile } from '#domain/access/profiles.ts'
import { itemAt } from '#domain/present.ts'
import type { Operation } from '#kit/contract.ts'
import { type Actor, may } from '#server/actors.ts'
import { allowStatements, type Database, type Tx } from '#server/db/db.ts'
import type { Route } from '#server/http/route.ts'
import type { Platform } from '#server/platform.ts'
import type { IsolationResult } from '../contract.ts'
import { requestsTo } from './inputs.ts'
import {
  countForeign,
  countWithId,
  findPeople,
  hasText,
  listCompanies,
  listTables,
  onlyRead,
  type TenantTable,
} from './queries.ts'
import { findWitnesses, type Witnesses } from './witnesses.ts'

const LIMIT_MS = 60_000

type Found = { probes: number; leaks: Set<string> }

/**
 * Checks the isolation of the running installation: as each role of each company, all read operations are called with ids of
 * the next company, and the database is queried for its rows directly. In read-only transactions, for at most a minute.
 */
export async function attack(
  platform: Platform,
  routes: readonly Route[],
): Promise<Omit<IsolationResult, 'at' | 'by'>> {
  const started = performance.now()
  const until = platform.now().getTime() + LIMIT_MS
  const isOver = () => platform.now().getTime() > until
  const safe = { ...platform, db: readOnly(platform.db) }
  const reads = routes.filter(({ op }) => op.method === 'GET' && op.can !== 'public' && !op.can.startsWith('platform:'))
  const own = reads.filter(({ op }) => op.mode !== 'slow')
  const { companies, tables } = await safe.db.asPlatform(async (db) => ({
    companies: await listCompanies(db),
    tables: await listTables(db),
  }))
  const found: Found = { probes: 0, leaks: new Set() }
  const others = companies.length > 1 ? companies : []
  for (const [index, ours] of others.entries()) {
    if (isOver()) break
    const theirs = itemAt(others, (index + 1) % others.length)
    const witnesses = await safe.db.asPlatform((db) => findWitnesses(db, tables, theirs))
    const pair: Pair = { ours, theirs, witnesses, shared: new Map() }
    await askDatabase(safe, tables, pair, found)
    await askOperations(safe, own, tables, pair, found, isOver)
  }
  return {
    ms: Math.round(performance.now() - started),
    companies: companies.length,
    tables: tables.length,
    operations: own.length,
    probes: found.probes,
    skipped: reads.length - own.length,
    isComplete: !isOver(),
    leaks: [...found.leaks].slice(0, 100),
  }
}

/** `shared`: texts of the other company that our own also has, as far as checked. */
type Pair = { ours: number; theirs: number; witnesses: Witnesses; shared: Map<string, boolean> }

async function askDatabase(platform: Platform, tables: readonly TenantTable[], pair: Pair, found: Found) {
  const { ours, theirs, witnesses } = pair
  await platform.db.read(ours, async (db) => {
    for (const { name } of tables) {
      found.probes++
      if (await countForeign(db, name, theirs))
        found.leaks.add(`Tabela ${name}: empresa ${ours} vê linhas da ${theirs}`)
    }
    for (const [name, id] of witnesses.rows) {
      found.probes++
      if (await countWithId(db, name, id))
        found.leaks.add(`Tabela ${name}: empresa ${ours} acha um registro da ${theirs}`)
    }
  })
}

async function askOperations(
  platform: Platform,
  routes: readonly Route[],
  tables: readonly TenantTable[],
  pair: Pair,
  found: Found,
  isOver: () => boolean,
) {
  const { ours, theirs, witnesses } = pair
  const settings = await platform.settings.get(String(ours))
  const installation = await platform.installation.get('all')
  for (const actor of await actorsOf(platform, ours))
    for (const { op, handler } of routes) {
      if (op.can !== 'session' && op.can !== 'public' && !may(actor, settings, op.can)) continue
      for (const given of requestsTo(op, witnesses)) {
        if (isOver()) return
        found.probes++
        const answer = await platform.db
          .read(ours, async (db) => {
            const ctx = { platform, tenantId: ours, settings, installation, user: actor, now: platform.now(), db }
            return handler(ctx, { ...given, request: nobody })
          })
          // Refusals are the expected result.
          .catch(() => null)
        const source = await firstSeen(platform, tables, pair, answer)
        if (source) found.leaks.add(describe(op, actor.profile, ours, theirs, source))
      }
    }
}

const describe = (op: Operation, profile: Profile, ours: number, theirs: number, source: string): string =>
  `${op.method} ${op.path} (${profile} da empresa ${ours}) mostrou ${source} da empresa ${theirs}`

// Returns the place of the first text in an answer that the own company does not have.
async function firstSeen(
  platform: Platform,
  tables: readonly TenantTable[],
  { ours, witnesses, shared }: Pair,
  answer: unknown,
): Promise<string | null> {
  const text = JSON.stringify(answer ?? null)
  for (const [witness, source] of witnesses.texts) {
    if (!text.includes(JSON.stringify(witness).slice(1, -1))) continue
    const known = shared.get(witness)
    const isShared = known ?? (await platform.db.asPlatform((db) => hasText(db, tables, ours, witness)))
    shared.set(witness, isShared)
    if (!isShared) return source
  }
  return null
}

// Existing users; a role without users is taken by a user of another role.
async function actorsOf(platform: Platform, tenantId: number): Promise<Actor[]> {
  const people = await platform.db.asPlatform((db) => findPeople(db, tenantId))
  const actors: Actor[] = []
  for (const profile of PROFILES) {
    const person = people.find((one) => one.profile === profile) ?? people[0]
    const actor = person && (await platform.actors.get(`${tenantId}:${person.id}`))
    if (actor) actors.push({ ...actor, profile })
  }
  return actors
}

/** Statement time-out for the search of texts in large tables. */
const STATEMENT_MS = 60_000

const nobody = {
  id: '',
  ip: '127.0.0.1',
  isLocal: true,
  host: 'localhost',
  secure: false,
  userAgent: '',
  cookies: {},
  bearer: null,
  setCookie: () => {},
  clearCookie: () => {},
}

/** Returns database access that is limited to read-only transactions. */
function readOnly(db: Database): Database {
  const within = <T>(tenantId: number, work: (db: Tx) => Promise<T>): Promise<T> =>
    db.write(tenantId, async (tx) => {
      await onlyRead(tx)
      await allowStatements(tx, STATEMENT_MS)
      return work(tx)
    })
  return {
    ...db,
    read: (tenantId, work) => within(tenantId, (tx) => work(tx)),
    write: within,
    asPlatform: (work) =>
      db.asPlatform(async (tx) => {
        await onlyRead(tx)
        await allowStatements(tx, STATEMENT_MS)
        return work(tx)
      }),
  }
}
