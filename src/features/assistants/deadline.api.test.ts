import { expect, it } from 'vitest'
import { assistantCompany } from '#test/assistant-company.ts'
import { until } from '#test/until.ts'

const c = assistantCompany()
const { connect, write, sent, turns, calls, ended } = c

/** Lets all but this part of a turn's minute pass before its first call. */
function leave(ms: number): void {
  let hasPassed = false
  c.atCheckpoint = (name) => {
    if (name !== 'turn asked' || hasPassed) return
    hasPassed = true
    c.aheadMs += 60_000 - ms
  }
}

it('an account that hangs leaves the fallback a third of the minute', async () => {
  const fallbackId = await connect('grok', {}, { isChosen: false })
  await connect('claude', { fallbackId })
  Object.assign(c.peer.state, { fault: 'silent', faultAt: /\/messages/ })
  leave(3000)
  const begun = Date.now()
  await write('Oi')
  await until(() => sent().length > 0)
  // The first had two thirds of what was left.
  expect(Date.now() - begun).toBeGreaterThan(1900)
  expect(sent()).toEqual(['Resposta a: Oi'])
  expect(await turns()).toMatchObject([{ assistant: 'Robô grok' }])
  expect((await calls()).map(({ provider }) => provider).toSorted()).toEqual(['claude', 'grok'])
})

it('both that hang end the turn within its minute, and people attend', async () => {
  const fallbackId = await connect('grok', {}, { isChosen: false })
  await connect('claude', { fallbackId })
  c.peer.state.fault = 'silent'
  leave(1500)
  await write('Oi')
  await ended()
  expect(await turns()).toMatchObject([{ status: 'failed', error: expect.stringContaining('não respondeu a tempo') }])
  expect((await c.theTicket()).queue_id).toBe(c.queue)
  expect(await calls()).toHaveLength(2)
})

it('one alone has the whole of it, retries included', async () => {
  await connect('claude')
  Object.assign(c.peer.state, { fault: 500 })
  // The second retry would begin after the end.
  leave(2600)
  await write('Oi')
  await ended()
  expect(await calls()).toHaveLength(2)
  expect(await turns()).toMatchObject([{ status: 'failed' }])
})
