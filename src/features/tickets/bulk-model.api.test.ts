import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bulk } from '#features/bulk/contract.ts'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import type { TicketRow } from '#features/ledger/ticket-rows.ts'
import type { BulkAnswer, Undone } from '#kit/bulk.ts'
import { make } from '#test/make.ts'
import { testChannel, textEvent } from '#test/peers/channel.ts'
import { call, withProduct } from '#test/server.ts'
import { breadth } from '#test/setup/breadth.ts'
import { ticketsBulk } from './bulk-contract.ts'
import { tickets } from './contract.ts'

// Each command has its own time, so that time alone determines the list's order.
let at = Date.now()
const product = withProduct({ now: () => new Date(at) })

/** Model of a ticket; `place` is its position in the list, `revision` counts changes by users. */
type Plain = {
  status: 'open' | 'pending' | 'closed'
  userId: number | null
  queueId: number | null
  unread: number
  tags: readonly number[]
  place: number
  revision: number
  messages: number
}
/** Model of an operation: the tickets before and after it. */
type Done = { id: string; by: number; changes: Map<number, { before: Plain; after: Plain }>; isUndone: boolean }
type People = readonly { id: number; token: string }[]

const TICKETS = 6
const which = fc.uniqueArray(fc.nat({ max: TICKETS - 1 }), { minLength: 1 })
const who = fc.nat({ max: 2 })
const ACTIONS = ['accept', 'transfer', 'return', 'close', 'reopen', 'read', 'unread', 'tag', 'untag'] as const
const command = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('bulk' as const),
      who,
      which,
      action: fc.constantFrom(...ACTIONS),
      to: fc.nat({ max: 3 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('undo' as const), who, which: fc.nat({ max: 3 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('single' as const),
      who,
      ticket: fc.nat({ max: TICKETS - 1 }),
      action: fc.constantFrom('accept' as const, 'close' as const, 'tags' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('message' as const), ticket: fc.nat({ max: TICKETS - 1 }) }) },
)

async function world() {
  const { platform } = product()
  const m = make(platform)
  testChannel(platform)
  const tenantId = await m.tenant()
  const people: People = await Promise.all(
    [1, 2, 3].map(async () => {
      const { id } = await m.user(tenantId, { profile: 'admin' })
      return { id, token: await m.token({ id, tenantId }) }
    }),
  )
  const connectionId = await m.connection(tenantId, { type: 'test' })
  const queues = [await m.queue(tenantId), await m.queue(tenantId)]
  const tags = [await m.tag(tenantId), await m.tag(tenantId)]
  const model = new Map<number, Plain>()
  const froms = new Map<number, string>()
  for (let n = 0; n < TICKETS; n++) {
    const row = {
      status: 'pending',
      queue_id: queues[n % 2]!,
      connection_id: connectionId,
      conversation_key: `pessoa-${n}`,
    } as const
    const place = at - 1000 * n
    const id = await m.ticket(tenantId, {
      ...row,
      unread_messages: n % 3,
      updated_at: new Date(place),
      last_message_at: new Date(place),
    })
    froms.set(id, row.conversation_key)
    model.set(id, {
      status: 'pending',
      userId: null,
      queueId: row.queue_id,
      unread: n % 3,
      tags: [],
      place,
      revision: 0,
      messages: 0,
    })
  }
  return { tenantId, people, connectionId, queues, tags, model, froms, ids: [...model.keys()] }
}

const moved = (ticket: Plain, change: Partial<Plain>): Plain => ({
  ...ticket,
  ...change,
  place: at,
  revision: ticket.revision + 1,
})
const marked = (ticket: Plain, change: Partial<Plain>): Plain => ({
  ...ticket,
  ...change,
  revision: ticket.revision + 1,
})

/** Returns a model ticket after an action; null if the move is impossible. */
function become(
  ticket: Plain,
  action: (typeof ACTIONS)[number],
  me: number,
  to: { userId: number | null; queueId: number | null },
  tagIds: readonly number[],
): Plain | null {
  const { status, userId, unread, tags } = ticket
  const isClosed = status === 'closed'
  switch (action) {
    case 'accept':
      if (isClosed || (status === 'open' && userId !== null && userId !== me)) return null
      return status === 'open' && userId === me ? ticket : moved(ticket, { status: 'open', userId: me })
    case 'close':
      return isClosed ? null : moved(ticket, { status: 'closed' })
    case 'return':
      return status === 'open' ? moved(ticket, { status: 'pending', userId: null }) : null
    case 'reopen':
      return isClosed ? moved(ticket, { status: 'open', userId: me }) : null
    case 'transfer': {
      const queueId = to.queueId ?? ticket.queueId
      const next = { status: to.userId === null ? ('pending' as const) : ('open' as const), userId: to.userId, queueId }
      const isSame = next.status === status && next.userId === userId && queueId === ticket.queueId
      return isSame ? ticket : moved(ticket, next)
    }
    case 'read':
      return unread > 0 ? marked(ticket, { unread: 0 }) : ticket
    case 'unread':
      return unread === 0 ? marked(ticket, { unread: 1 }) : ticket
    case 'tag':
      return tagIds.every((id) => tags.includes(id))
        ? ticket
        : marked(ticket, { tags: [...new Set([...tags, ...tagIds])].sort((a, b) => a - b) })
    case 'untag':
      return tagIds.some((id) => tags.includes(id))
        ? marked(ticket, { tags: tags.filter((id) => !tagIds.includes(id)) })
        : ticket
  }
}

/** Returns a model ticket after an undo; null if a user has changed it since. */
function back(now: Plain, { before, after }: { before: Plain; after: Plain }): Plain | null {
  if (now.revision !== after.revision) return null
  if (now.messages === after.messages) return before
  // Changes by messages since then stay: position and unread count.
  return { ...before, place: now.place, unread: now.unread, messages: now.messages }
}

it('random commands of several people, with undo in between, do what a plain model says, the order of the list included', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 6, maxLength: 18 }), async (commands) => {
      const { tenantId, people, connectionId, queues, tags, model, froms, ids } = await world()
      const done: Done[] = []
      for (const one of commands) {
        at += 10
        if (one.kind === 'message') {
          const id = ids[one.ticket]!
          const ticket = model.get(id)!
          // A message to a resolved conversation would create a new ticket.
          if (ticket.status === 'closed') continue
          await receive(product().platform, { tenantId, connectionId }, [
            textEvent({ from: froms.get(id)!, body: 'Oi', at }),
          ])
          await ingestIdle(product().platform)
          model.set(id, { ...ticket, unread: ticket.unread + 1, place: at, messages: ticket.messages + 1 })
          continue
        }
        const me = people[one.who]!
        if (one.kind === 'single') {
          const id = ids[one.ticket]!
          const ticket = model.get(id)!
          const body = {
            accept: { status: 'open', userId: me.id },
            close: { status: 'closed' },
            tags: { tagIds: [tags[0]!] },
          } as const
          const next =
            one.action === 'tags'
              ? marked(ticket, { tags: [tags[0]!] })
              : become(ticket, one.action, me.id, { userId: null, queueId: null }, [])
          const isReopening = one.action === 'accept' && ticket.status === 'closed'
          const { status } = await call(product(), tickets.update, me.token, {
            params: { id },
            body: body[one.action] as never,
          })
          if (isReopening) model.set(id, become(ticket, 'reopen', me.id, { userId: null, queueId: null }, [])!)
          else if (next) model.set(id, next)
          expect(status).toBe(next || isReopening ? 200 : 409)
        } else if (one.kind === 'bulk') {
          const chosen = one.which.map((n) => ids[n]!)
          const to =
            one.to < 2 ? { userId: null, queueId: queues[one.to]! } : { userId: people[one.to - 2]!.id, queueId: null }
          const tagIds = one.to % 2 === 0 ? [tags[0]!] : tags
          const { action } = one
          const args =
            action === 'transfer'
              ? to.userId === null
                ? { queueId: to.queueId }
                : { userId: to.userId }
              : action === 'tag' || action === 'untag'
                ? { tagIds }
                : undefined
          const reply = await call(product(), ticketsBulk.start, me.token, {
            body: { ids: chosen, action, ...(args ? { args } : {}) },
          })
          const answer = reply.body as unknown as BulkAnswer
          const changes: Done['changes'] = new Map()
          const refused: number[] = []
          for (const id of chosen) {
            const before = model.get(id)!
            const after = become(before, action, me.id, to, tagIds)
            if (!after) refused.push(id)
            else if (after !== before) {
              changes.set(id, { before, after })
              model.set(id, after)
            }
          }
          expect(answer.refused.map(({ id }) => id)).toEqual(refused)
          if (changes.size > 0) done.push({ id: answer.id!, by: me.id, changes, isUndone: false })
        } else {
          const operation = done.at(-1 - one.which)
          if (!operation) continue
          const reply = await call(product(), bulk.undo, me.token, { params: { id: operation.id } })
          if (operation.isUndone) {
            expect(reply.status).toBe(409)
            continue
          }
          operation.isUndone = true
          const refused: number[] = []
          for (const [id, change] of operation.changes) {
            const next = back(model.get(id)!, change)
            if (next) model.set(id, next)
            else refused.push(id)
          }
          const answer = reply.body as unknown as Undone
          expect(answer.refused.map(({ id }) => id)).toEqual(refused)
          expect(answer.restored).toBe(operation.changes.size - refused.length)
        }
        const query = { showAll: true, status: ['open', 'pending', 'closed'] } as const
        const list = await call(product(), tickets.list, people[0]!.token, { query: query as never })
        const shown = (list.body as unknown as { tickets: TicketRow[] }).tickets
        expect(
          shown.map(({ id, status, userId, queueId, unreadMessages, tags: own }) => [
            id,
            status,
            userId,
            queueId,
            unreadMessages,
            own.map((tag) => tag.id).sort((a, b) => a - b),
          ]),
        ).toEqual(
          [...model]
            .sort(([a, one], [b, other]) => other.place - one.place || b - a)
            .map(([id, { status, userId, queueId, unread, tags: own }]) => [id, status, userId, queueId, unread, own]),
        )
      }
    }),
    { numRuns: breadth(8, 25), endOnFailure: true },
  )
}, 120_000)
