import { expect } from 'vitest'
import { history } from '#features/history/contract.ts'
import type { ChannelQuestions, HistoryMessage } from '#providers/channels/port.ts'
import { call, type Product } from '#test/server.ts'
import type { ContactEnd } from './contact-end.ts'

type World = {
  readonly product: Product
  readonly tenantId: number
  readonly token: string
  readonly conversationKey: string
  readonly end: ContactEnd
}
type Ask<W> = <Q extends 'chats' | 'history'>(
  world: W,
  question: Q,
  about: ChannelQuestions[Q]['about'],
) => Promise<ChannelQuestions[Q]['answer']>

/** Checks a channel's history: each message of a conversation comes once, in pages, and is stored so. */
export async function checkHistory<W extends World>(
  world: W,
  ask: Ask<W>,
  patient: (world: W, isSo: () => Promise<boolean>) => Promise<void>,
): Promise<void> {
  const { product, tenantId, token, conversationKey, end } = world
  const { connectionId } = end
  const { chats } = await ask(world, 'chats', { tenantId, connectionId, after: null })
  expect(chats).toContain(conversationKey)
  const kept: HistoryMessage[] = []
  let before: string | null = null
  do {
    const about = { tenantId, connectionId, conversationKey, before, limit: 2 }
    const page: ChannelQuestions['history']['answer'] = await ask(world, 'history', about)
    expect(page.messages.length).toBeLessThanOrEqual(2)
    kept.unshift(...page.messages)
    before = page.before
  } while (before !== null)
  const known = world.end.knows!.history!
  expect(kept).toEqual(expect.arrayContaining([...known]))
  const times = kept.map(({ message }) => message.timestamp)
  expect(times).toEqual([...times].sort((a, b) => a - b))
  expect(new Set(kept.map(({ dedupeKey }) => dedupeKey)).size).toBe(kept.length)
  // Through the product, and again: each once, in its own time.
  const body = { whatsappId: connectionId, limit: 1000, contactId: `${conversationKey}@c.us` }
  const stored = () =>
    product.platform.db.read(tenantId, (db) =>
      db
        .selectFrom('messages')
        .select(['body', 'from_me', 'timestamp'])
        .where('sync_time', 'is not', null)
        .orderBy('timestamp')
        .orderBy('seq')
        .execute(),
    )
  for (let twice = 0; twice < 2; twice++) {
    const reply = await call(product, history.importOne, token, { body: body })
    expect([reply.status, reply.body]).toMatchObject([200, {}])
    const all = async () => (await call(product, history.list, token)).body.imports
    await patient(world, async () => (await all()).every(({ status }) => status === 'done'))
    expect(await stored()).toEqual(
      known.map(({ fromMe, message }) => ({
        ...{ body: message.body, from_me: fromMe, timestamp: new Date(message.timestamp) },
      })),
    )
  }
}
