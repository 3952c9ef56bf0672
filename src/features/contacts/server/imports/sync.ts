import { spellingsOf } from '#domain/phone/brazil.ts'
import { adapterOf, answerWithin, type Sender } from '#features/ledger/server/ports/index.ts'
import { type ChannelAdapter, type ChannelQuestions, sendFailure } from '#providers/channels/port.ts'
import type { Ctx } from '#server/context.ts'
import { findContacts, meetContacts } from '../queries-identities.ts'
import { insertBlock, type StoredImport, saveImport, takenNumbers } from './queries.ts'
import { publishContacts, type Turn } from './turn.ts'

const BLOCK = 50
const ANSWER_MS = 30_000

type Person = { readonly identity: string; readonly name: string; readonly number: string | null }
type Page = { readonly people: readonly Person[]; readonly next: string | null }

/** Imports the contacts or groups that a channel knows, page by page; existing ones stay unchanged. */
export async function sync({ platform, tenantId, found, block }: Turn): Promise<void> {
  const connectionId = found.connection_id!
  const adapter = await adapterOf(platform, tenantId, connectionId)
  for (let after = found.cursor, isLast = false; !isLast; ) {
    const { people, next } = await answerWithin(
      ANSWER_MS,
      pageOf(adapter, found.kind, { tenantId, connectionId, after }),
    )
    for (let from = 0; from < people.length; from += BLOCK)
      if (!(await block((ctx, now) => meet(ctx, now, people.slice(from, from + BLOCK))))) return
    if (!(await block((ctx) => saveImport(ctx.db, found.id, { cursor: next })))) return
    isLast = next === null
    after = next
  }
}

async function pageOf(
  adapter: ChannelAdapter,
  kind: string,
  about: ChannelQuestions['contacts']['about'],
): Promise<Page> {
  if (!adapter.ask) throw sendFailure('refused', 'ERR_CHANNEL_CANNOT')
  if (kind === 'contacts') {
    const { contacts, next } = await adapter.ask('contacts', about)
    return { people: contacts, next }
  }
  const groups = await adapter.ask('groups', about)
  return { people: groups.map(({ key, name }) => ({ identity: key, name, number: null })), next: null }
}

async function meet(ctx: Ctx, found: StoredImport, people: readonly Person[]): Promise<void> {
  const channel = found.channel!
  const senders = people.map(
    ({ identity, name, number }): Sender => ({
      ...{ channel, identity, name: name || (number ?? identity), number, email: '', isGroup: found.kind === 'groups' },
    }),
  )
  const known = await findContacts(ctx.db, senders)
  const unknown = senders.filter(({ identity }) => !known.has(`${channel}|${identity}`))
  const taken = await takenNumbers(
    ctx.db,
    unknown.flatMap(({ number }) => (number === null ? [] : spellingsOf(number))),
  )
  const met = await meetContacts(ctx.db, unknown, [])
  const strangers = unknown.filter(
    ({ number }) => number === null || !spellingsOf(number).some((one) => taken.has(one)),
  )
  const made = new Set(strangers.flatMap(({ identity }) => met.get(`${channel}|${identity}`)?.id ?? []))
  if (made.size > 0) await insertBlock(ctx.db, found.id, { line: found.total, lines: '[]', made: [...made] })
  await saveImport(ctx.db, found.id, {
    ...{ total: found.total + people.length, created: found.created + made.size, done: found.done + made.size },
    unchanged: found.unchanged + people.length - made.size,
  })
  const [first] = made
  if (first !== undefined) publishContacts(ctx, first)
}
