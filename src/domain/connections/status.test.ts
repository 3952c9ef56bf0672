import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ConnectionChange, type ConnectionStatus, secondsToReopen, statusAfter } from './status.ts'

const all: readonly ConnectionStatus[] = ['OPENING', 'qrcode', 'PAIRING', 'TIMEOUT', 'CONNECTED', 'DISCONNECTED']
const changes: readonly ConnectionChange[] = ['start', 'open', 'qrcode', 'pairing', 'connected', 'lost', 'end']
const lives = fc.array(fc.constantFrom(...changes), { maxLength: 40 })

/** The statuses that a connection goes through, its first being DISCONNECTED. */
const walk = (
  life: readonly ConnectionChange[],
): { change: ConnectionChange; before: ConnectionStatus; after: ConnectionStatus }[] => {
  let status: ConnectionStatus = 'DISCONNECTED'
  return life.map((change) => {
    const before = status
    status = statusAfter(status, change) ?? status
    return { change, before, after: status }
  })
}

test('whatever happens, only a person starts what waits for one', () => {
  fc.assert(
    fc.property(lives, (life) => {
      for (const { change, before, after } of walk(life))
        if (before === 'DISCONNECTED' && after !== 'DISCONNECTED') expect(change).toBe('start')
    }),
  )
})

test('whatever has happened, a person can end it and start it, and from there it gets through', () => {
  fc.assert(
    fc.property(lives, (life) => {
      expect(walk([...life, 'end']).at(-1)!.after).toBe('DISCONNECTED')
      expect(walk([...life, 'start', 'connected']).at(-1)!.after).toBe('CONNECTED')
    }),
  )
})

test('no code is shown of a connection that is through, until it was lost or opened anew', () => {
  fc.assert(
    fc.property(lives, (life) => {
      let isThrough = false
      for (const { change, after } of walk(life)) {
        if (['lost', 'open', 'start', 'end'].includes(change)) isThrough = false
        if (after === 'CONNECTED') isThrough = true
        if (isThrough) expect(after).not.toBe('qrcode')
      }
    }),
  )
})

test('every status is reached, and every open one can be lost and come back', () => {
  expect(new Set(all.flatMap((status) => changes.map((change) => statusAfter(status, change))))).toEqual(
    new Set([...all, null]),
  )
  for (const status of all) {
    if (status === 'DISCONNECTED') continue
    const lost = statusAfter(status, 'lost')!
    expect([status, lost, statusAfter(lost, 'connected')]).toEqual([status, 'TIMEOUT', 'CONNECTED'])
  }
})

test('a lost connection is tried again after 1 s, then ever more rarely, once a minute for ever', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8, 5000].map(secondsToReopen)).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60])
})
