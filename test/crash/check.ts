import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { type Aftermath, crash, crashMigration, type crashPoints } from './scenario.ts'

const sorted = (list: readonly string[]) => [...list].sort()

/** Every message exactly once, in order per conversation, every reply sent once, no second ticket. */
export async function checkCrash(point: (typeof crashPoints)[number], times: number): Promise<void> {
  const left: Aftermath = await crash(point, times)
  expect(left.deaths).toBeGreaterThanOrEqual(times)
  expect(left.ticketsPerConversation).toEqual([1, 1, 1])
  const bodies = Object.values(left.inbound).map((list) => list.filter((body) => body !== 'início'))
  for (const list of bodies) expect(list).toEqual(sorted([...new Set(list)]))
  const rounds = bodies.flat().length
  expect(sorted(bodies.flat())).toEqual(Array.from({ length: rounds }, (_, n) => `m${String(n + 1).padStart(3, '0')}`))
  for (const list of Object.values(left.replies)) expect(list).toEqual(sorted(list))
  expect(sorted(Object.values(left.replies).flat())).toEqual(
    Array.from({ length: rounds }, (_, n) => `r${String(n + 1).padStart(3, '0')}`),
  )
  // Phone and database agree.
  expect(left.said).toEqual(left.replies)
  expect(new Set(left.replyStatuses)).toEqual(new Set(['sent']))
  expect(left.files.unfinished).toBe(0)
  expect(left.aside).toBe(0)
  if (point === 'file being written') expect(left.files.rows).toBe(rounds)
}

/** A migration that was killed ends as one that was not. */
export async function checkMigration(times: number): Promise<void> {
  const { deaths, types } = await crashMigration(times)
  expect(deaths).toBeGreaterThan(0)
  expect(types).toBe(readFileSync(new URL('../../db/types.ts', import.meta.url), 'utf8'))
}
