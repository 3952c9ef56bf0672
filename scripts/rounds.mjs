import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './steps.mjs'

const DAY_MS = 86_400_000

/** The rounds of `npm run test:wide`, in their order. */
export const ROUNDS = ['attacks', 'long', 'crash', 'chaos', 'pools', 'days', 'screens']

/** Variants in which the unit and API tests run again: other days, and pools of few clients. */
export const VARIANTS = [
  { round: 'days', name: 'tomorrow', moment: (now) => new Date(now.getTime() + DAY_MS) },
  { round: 'days', name: 'leap-day', moment: (now) => new Date(`${nextLeapYear(now)}-02-29T12:00:00-03:00`) },
  { round: 'days', name: 'year-end', moment: (now) => new Date(`${now.getUTCFullYear()}-12-31T23:59:00-03:00`) },
  { round: 'days', name: 'year-on', moment: (now) => new Date(now.getTime() + 365 * DAY_MS) },
  { round: 'pools', name: 'pool-2', pool: 2 },
  { round: 'pools', name: 'pool-3', pool: 3 },
  { round: 'pools', name: 'pool-5', pool: 5 },
]

function nextLeapYear(now) {
  let year = now.getUTCFullYear() + 1
  while (new Date(Date.UTC(year, 1, 29)).getUTCMonth() !== 1) year++
  return year
}

/** The variant that a file draws on a day: each once a week. */
export function drawn(file, now) {
  const hash = createHash('sha256').update(file).digest().readUInt32BE()
  return VARIANTS[(hash + Math.floor(now.getTime() / DAY_MS)) % VARIANTS.length]
}

/** Every file of tests that vitest knows. */
export const testFiles = () =>
  ['src', 'db', 'test', 'bench'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((name) => /\.test\.tsx?$/.test(name))
      .map((name) => `${folder}/${name}`),
  )
