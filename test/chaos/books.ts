import { query } from '#test/crash/processes.ts'
import { until } from '#test/until.ts'
import { type Acknowledged, type Company, type Page, receivedBy, sideOf } from './load.ts'
import type { World } from './world.ts'

const REST_MS = 120_000
/** A provider that was away is asked again after a minute and more. */
const SIDE_REST_MS = 300_000
const TOLD_MS = 15_000

type Row = { id: string; conversation_key: string; body: string; from_me: boolean; status: string }

/**
 * Waits until the installation is idle and returns the differences between what was sent and received; empty if there are
 * none.
 */
export async function checkBooks(
  world: World,
  company: Company,
  { done, owed }: { done: Acknowledged; owed: () => number },
  pages: readonly Page[],
): Promise<string[]> {
  const { tenantId, contacts, sides } = company
  const restMs = sides.length > 0 ? SIDE_REST_MS : REST_MS
  return query(world.database(), async (client) => {
    const wrong: string[] = []
    const rows = async <T>(text: string): Promise<T[]> => (await client.query(text, [tenantId])).rows
    const waiting = async () => {
      const [row] = await rows<{ journal: number; unsent: number; undelivered: number }>(`select
        (select count(*)::int from journal where tenant_id = $1 and processed_at is null) as journal,
        (select count(*)::int from messages where tenant_id = $1 and from_me and status in ('pending', 'queued')) as unsent,
        (select count(*)::int from messages where tenant_id = $1 and from_me and status = 'sent'
          and connection_id not in (select id from connections where type in ('telegram', 'webmail'))) as undelivered`)
      return { ...row!, owed: owed() }
    }
    const isAtRest = async () => {
      const lost = await rows("select from connections where tenant_id = $1 and cause = 'token'")
      if (lost.length > 0) for (const side of sides) await side.mend()
      return Object.values(await waiting()).every((n) => n === 0)
    }
    await until(isAtRest, restMs).catch(async () => {
      const connections = await rows('select type, status, cause from connections where tenant_id = $1')
      wrong.push(`not at rest after ${restMs / 1000} s: ${JSON.stringify([await waiting(), ...connections])}`)
    })

    const stored = await rows<Row>(
      'select id, conversation_key, body, from_me, status from messages where tenant_id = $1 order by seq',
    )
    const bodiesOf = (from: string, fromMe: boolean) =>
      stored.filter((row) => row.conversation_key === from && row.from_me === fromMe).map((row) => row.body)
    const compare = (what: string, found: readonly string[], expected: readonly string[]) => {
      if (found.join() === expected.join()) return
      const missing = expected.filter((body) => !found.includes(body))
      const twice = found.filter((body, n) => found.indexOf(body) !== n)
      const foreign = found.filter((body) => !expected.includes(body))
      const some = (bodies: string[]) =>
        bodies.length > 9 ? [...bodies.slice(0, 8), `and ${bodies.length - 8} more`] : bodies
      wrong.push(
        `${what}: ${JSON.stringify({ missing: some(missing), twice: some(twice), foreign: some(foreign), inOrder: found.join() === [...found].sort().join() })}`,
      )
    }
    const isLost = ({ status, conversation_key, body }: Row, received: readonly string[]) =>
      status === 'uncertain' &&
      (company.chats.has(conversation_key) || sideOf(company, conversation_key)?.isSure === false) &&
      !received.includes(body)
    for (const from of contacts) {
      const answered = done.answered.get(from) ?? []
      compare(`written by ${from}`, bodiesOf(from, false), ['início', ...(done.written.get(from) ?? [])])
      compare(`answered to ${from}`, bodiesOf(from, true), answered)
      const received = receivedBy(world, company, from)
      // Messages whose response was lost and that have no receipt: a person decides. An arrived message is there once.
      const lost = new Set(
        stored.flatMap((row) => (row.conversation_key === from && isLost(row, received) ? [row.body] : [])),
      )
      compare(
        `held at the other end by ${from}`,
        received,
        answered.filter((body) => !lost.has(body)),
      )
    }
    const known = stored.filter((row) => row.from_me && !isLost(row, receivedBy(world, company, row.conversation_key)))
    // A bot and a mailbox are given no receipts; of one of their messages whose answer was lost a person decides, also where it arrived.
    const isExpected = (row: Row) =>
      company.chats.has(row.conversation_key) || sideOf(company, row.conversation_key)?.isBare
        ? /^(sent|uncertain)$/.test(row.status)
        : row.status === 'delivered' || (sides.length > 0 && row.status === 'read')
    const states = new Set(known.filter((row) => !isExpected(row)).map((row) => row.status))
    if (states.size > 0) {
      const reasons = await rows<{ reason: string }>(
        "select distinct detail ->> 'reason' as reason from message_trail where tenant_id = $1 and step in ('failed', 'uncertain')",
      )
      wrong.push(`answers that are ${[...states].join(', ')} (${reasons.map(({ reason }) => reason).join('; ')})`)
    }

    const aside = await rows<{ error: string }>(
      'select error from journal where tenant_id = $1 and set_aside_at is not null',
    )
    if (aside.length > 0) wrong.push(`${aside.length} events put aside: ${aside[0]!.error}`)
    const [feed] = await rows<{ n: number; first: number; last: number; head: number }>(`select count(*)::int as n,
      min(seq)::int as first, max(seq)::int as last,
      (select last_seq::int from feed_heads where tenant_id = $1) as head from changes where tenant_id = $1`)
    if (feed!.n !== feed!.last - feed!.first + 1 || feed!.last !== feed!.head || feed!.first !== 1)
      wrong.push(`the changes feed has gaps: ${JSON.stringify(feed)}`)
    const live = await rows<{ conversation_key: string; n: number }>(
      "select conversation_key, count(*)::int as n from tickets where tenant_id = $1 and status in ('open', 'pending') group by 1",
    )
    if (live.length !== contacts.length || live.some((row) => row.n !== 1))
      wrong.push(`live tickets: ${JSON.stringify(live)}`)
    for (const { name, told } of pages) {
      const missing = () => stored.filter((row) => !told.has(row.id))
      await until(() => missing().length === 0, TOLD_MS).catch(() => {
        wrong.push(`the page at ${name} was not told of ${missing().length} of ${stored.length} messages`)
      })
    }
    return wrong
  })
}
