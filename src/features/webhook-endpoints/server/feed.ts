import { includes } from '#domain/access/plan.ts'
import { type EventType, isWanted } from '#domain/webhook-endpoints/types.ts'
import { loadContacts, serializeContact } from '#features/contacts/server/index.ts'
import { cardsForPrograms } from '#features/funnel/server/index.ts'
import { publicLink } from '#features/mail/server/index.ts'
import { findPerson, serializeManagedUser } from '#features/users/server/index.ts'
import { type Ctx, unit } from '#server/context.ts'
import { plays } from '#server/env.ts'
import type { Forgetting } from '#server/forgetting.ts'
import type { Platform } from '#server/platform.ts'
import { readChanges } from '#server/realtime/bus.ts'
import { formatOf } from './formats.ts'
import { type Occurrence, occurrencesOf, type Subject } from './occurrences.ts'
import { matchSettings } from './of-settings.ts'
import { forgetDeliveries, insertDeliveries, type NewDelivery } from './queries-deliveries.ts'
import {
  createdAt,
  type EndpointRecord,
  listActive,
  listCompanies,
  lockCursor,
  moveCursor,
  timesOf,
} from './queries-endpoints.ts'
import { wakeRunner } from './wake.ts'

const BLOCK = 200
const GATHER_MS = 100
const RECOVER_MS = 30_000

/** Occurrence with its position in the feed. */
type Happened = Occurrence & { readonly seq: number }
type Known = Omit<Happened, 'type' | 'subject'> & { readonly type: EventType }

/**
 * Reads the next changes of a company and records deliveries for interested endpoints, in the transaction that moves the
 * cursor, so that each change is handled once. Returns whether there are more.
 */
export async function readFeed(platform: Platform, tenantId: number): Promise<boolean> {
  const { more, count } = await unit(platform, { tenantId, user: null }, (ctx) => readBlock(ctx))
  if (count > 0) {
    await platform.checkpoint('webhooks recorded')
    wakeRunner(platform)
  }
  return more
}

async function readBlock(ctx: Ctx, wait = false): Promise<{ more: boolean; count: number }> {
  const { db, settings } = ctx
  await matchSettings(ctx)
  const cursor = await lockCursor(db, wait)
  if (!cursor) return { more: false, count: 0 }
  const endpoints = includes(settings.plan, 'webhooks') ? await listActive(db) : []
  if (endpoints.length === 0) {
    await moveCursor(db, null)
    return { more: false, count: 0 }
  }
  const changes = await readChanges(db, cursor.last_seq, Number.MAX_SAFE_INTEGER, BLOCK)
  const [first, last] = [changes[0], changes.at(-1)]
  if (!first || !last) return { more: false, count: 0 }
  if (first.seq! > cursor.last_seq + 1)
    ctx.platform.log.error({ tenantId: ctx.tenantId }, 'changes were removed before they were read for webhooks')
  const happened = changes.flatMap((change) => occurrencesOf(change).map((one) => ({ ...one, seq: change.seq! })))
  const times = await timesOf(db, [...new Set(happened.map(({ seq }) => seq))])
  const known = await withRecords(ctx, happened, times)
  const standard = endpoints.filter(({ format }) => format === 'standard')
  const deliveries = known.flatMap((one) => deliveriesOf(ctx, one, times.get(one.seq) ?? ctx.now, standard))
  for (const endpoint of endpoints) deliveries.push(...(await formattedFor(ctx, endpoint, known)))
  await insertDeliveries(db, deliveries, ctx.now)
  await moveCursor(db, last.seq!)
  return { more: changes.length === BLOCK, count: deliveries.length }
}

/** Adds the present state of the records that the feed only names, and the contacts of tickets. */
async function withRecords(
  ctx: Ctx,
  happened: readonly Happened[],
  times: ReadonlyMap<number, Date>,
): Promise<Known[]> {
  const idsOf = (kind: Subject['kind']) => [
    ...new Set(happened.flatMap(({ subject }) => (subject?.kind === kind ? [subject.id] : []))),
  ]
  const opened = happened.flatMap(({ type, contactId }) => (type === 'ticket.created' && contactId ? [contactId] : []))
  const contactIds = [...new Set([...idsOf('contact'), ...opened])]
  const born = {
    contact: await createdAt(ctx.db, 'contacts', contactIds),
    user: await createdAt(ctx.db, 'users', idsOf('user')),
    channel: await createdAt(ctx.db, 'connections', idsOf('channel')),
  }
  const isNew = (kind: keyof typeof born, id: number, seq: number) =>
    born[kind].get(id)?.getTime() === times.get(seq)?.getTime()
  const contacts = new Map(
    (await loadContacts(ctx.db, contactIds)).map((row) => [row.id, serializeContact(ctx.platform, row)]),
  )
  const people = new Map<number, object>()
  for (const id of idsOf('user')) {
    const person = await findPerson(ctx.db, id)
    if (person) people.set(id, serializeManagedUser(person))
  }
  const cards = await cardsForPrograms(ctx, idsOf('opportunity'))
  const reported = new Set<number>()
  const contactBorn = (id: number, one: Happened): Known[] => {
    const contact = contacts.get(id)
    if (!contact || reported.has(id) || !isNew('contact', id, one.seq)) return []
    reported.add(id)
    return [{ type: 'contact.created', seq: one.seq, contactId: id, data: contact }]
  }
  return happened.flatMap((one): Known[] => {
    const { subject, type, ...rest } = one
    if (type === 'ticket.created') return [...contactBorn(one.contactId!, one), { ...rest, type }]
    if (type !== null) {
      if (subject?.kind !== 'opportunity') return [{ ...rest, type }]
      // Deleted since: only the deletion is delivered.
      const data = cards.get(subject.id)
      return data ? [{ ...rest, type, data }] : []
    }
    if (!subject) return []
    const { kind, id } = subject
    if (kind === 'opportunity') return []
    if (kind === 'contact') {
      const created = contactBorn(id, one)
      const data = contacts.get(id)
      return created.length > 0 || !data ? created : [{ ...rest, type: 'contact.updated', data }]
    }
    if (kind === 'channel') return [{ ...rest, type: isNew(kind, id, one.seq) ? 'channel.created' : 'channel.updated' }]
    const person = people.get(id)
    if (!person) return [{ ...rest, type: 'user.deleted' }]
    return [{ ...rest, type: isNew(kind, id, one.seq) ? 'user.created' : 'user.updated', data: person }]
  })
}

function deliveriesOf(ctx: Ctx, one: Known, at: Date, endpoints: readonly EndpointRecord[]): NewDelivery[] {
  const { seq, type, contactId, data } = one
  const wanting = endpoints.filter((endpoint) => seq > endpoint.afterSeq && isWanted(endpoint, type, one))
  if (wanting.length === 0) return []
  const body = bodyOf(ctx.platform, { type, at, seq, data })
  return wanting.map(({ id: endpointId }) => ({ id: ctx.newId(), endpointId, seq, type, contactId, body }))
}

/** Returns the deliveries for an endpoint with its own format. */
async function formattedFor(ctx: Ctx, endpoint: EndpointRecord, known: readonly Known[]): Promise<NewDelivery[]> {
  const { id: endpointId, format, source, afterSeq } = endpoint
  const write = formatOf(format)
  if (!write || source === null) return []
  const wanted = known.filter((one) => one.seq > afterSeq && isWanted(endpoint, one.type, one))
  const formatted = wanted.length > 0 ? await write(ctx, source, wanted) : []
  return formatted.map(({ of: { seq, type, contactId }, body }) => {
    return { id: ctx.newId(), endpointId, seq, type, contactId, body: JSON.stringify(body) }
  })
}

/** Returns the body of a delivery; links to files are absolute. */
export const bodyOf = (
  platform: Platform,
  { type, at, seq, data }: { type: string; at: Date; seq: number; data: object },
): string =>
  JSON.stringify({ type, timestamp: at.toISOString(), seq, data }, (_, value) =>
    typeof value === 'string' && value.startsWith('/api/files/') ? publicLink(platform, value) : value,
  )

/** Records pending feed entries as deliveries, then removes a forgotten person's data from them. */
export const forgetReceived: Forgetting = async (ctx, who) => {
  for (let more = true; more; ) more = (await readBlock(ctx, true)).more
  await forgetDeliveries(ctx, who)
}

/**
 * Reads the changes of companies with endpoints as they occur, and missed ones every half minute; returns a function that
 * stops it.
 */
export async function followFeed(platform: Platform): Promise<() => Promise<void>> {
  if (!plays(platform.env, 'worker')) return async () => {}
  const companies = new Set<number>()
  const waiting = new Map<number, NodeJS.Timeout>()
  let running = Promise.resolve()
  let isStopping = false
  const wake = (tenantId: number, ms = GATHER_MS) => {
    if (isStopping || !companies.has(tenantId) || waiting.has(tenantId)) return
    const begin = () => {
      waiting.delete(tenantId)
      running = running
        .then(async () => {
          // A company with much to read leaves the others their turn.
          if (!isStopping && (await readFeed(platform, tenantId))) wake(tenantId, 0)
        })
        .catch((err: unknown) => platform.log.warn({ err, tenantId }, 'changes were not read for webhooks'))
    }
    waiting.set(tenantId, setTimeout(begin, ms).unref())
  }
  const recover = async () => {
    const ids = await platform.db.askAsPlatform(listCompanies)
    companies.clear()
    for (const id of ids) companies.add(id)
    for (const id of ids) wake(id)
  }
  const carefully = () =>
    recover().catch((err: unknown) => platform.log.warn({ err }, 'companies with webhooks were not read'))
  await carefully()
  const unsubscribe = platform.bus.subscribe((tenantId, changes) => {
    if (changes.some(({ seq }) => seq !== null)) wake(tenantId)
  })
  platform.bus.onStale((what) => {
    const [name, id] = what.split(' ')
    if (name !== 'webhooks') return
    companies.add(Number(id))
    wake(Number(id))
  })
  const timer = setInterval(carefully, RECOVER_MS)
  return async () => {
    isStopping = true
    unsubscribe()
    clearInterval(timer)
    for (const one of waiting.values()) clearTimeout(one)
    await running
  }
}
