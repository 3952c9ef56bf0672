import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from '#test/until.ts'
import { checkDeaths, startCompany } from './deaths.ts'
import { startChild, stop } from './processes.ts'

const FULL_SOON = { NODE_OPTIONS: '--max-old-space-size=160' }
const STUCK_SOON = { LOOP_LIMIT_MS: '2000' }

describe('what ends every process that works on it is put aside, and nothing else', () => {
  it.each([
    ['event', 'exit', {}],
    ['event', 'loop', STUCK_SOON],
    ['event', 'memory', FULL_SOON],
    ['job', 'exit', {}],
    ['job', 'loop', STUCK_SOON],
    ['job', 'memory', FULL_SOON],
  ] as const)('%s: %s', (as, deed, extra) => checkDeaths(as, deed, extra))
})

it('killed twenty times under load, the product puts nothing aside', async () => {
  const { env, rows, addJob, hear, waiting, aside } = await startCompany()
  let child: Awaited<ReturnType<typeof startChild>> | null = null
  onTestFinished(() => stop(child))
  let goesOn = true
  const said: string[] = []
  const talk = Array.from({ length: 6 }, (_, n) => `55119100000${n}`).map(async (from) => {
    for (let n = 0; goesOn; n++) {
      const body = `${from} ${n}`
      // Again until it is acknowledged, as a provider does.
      while (
        goesOn &&
        !(await hear(child?.address ?? '', [{ from, body }]).then(
          ({ ok }) => ok,
          () => false,
        ))
      )
        await pause(20)
      if (goesOn) said.push(body)
    }
  })
  for (let deaths = 0; deaths < 20; deaths++) {
    child = await startChild(env)
    for (let n = 0; n < 5; n++) await addJob('harmless')
    await pause(Math.random() * 600)
    await stop(child)
  }
  child = await startChild(env)
  goesOn = false
  await Promise.all(talk)
  await until(async () => (await waiting()) === 0, 60_000)
  expect(await aside()).toEqual([])
  const stored = (await rows<{ body: string }>('select body from messages')).map(({ body }) => body)
  expect(new Set(stored).size).toBe(stored.length)
  expect(said.filter((body) => !stored.includes(body))).toEqual([])
})
