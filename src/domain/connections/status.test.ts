import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { losesKeys, MOST_CODES, STOP_CAUSES } from './causes.ts'
import {
  type ConnectionChange,
  type ConnectionState,
  type ConnectionStatus,
  secondsToReopen,
  stateAfter,
} from './status.ts'

const all: readonly ConnectionStatus[] = ['OPENING', 'qrcode', 'PAIRING', 'TIMEOUT', 'CONNECTED', 'DISCONNECTED']
const changes: readonly ConnectionChange[] = [
  ...(['start', 'open', 'qrcode', 'expired', 'pairing', 'connected', 'lost', 'end'] as const),
]
const lives = fc.array(fc.constantFrom(...changes), { maxLength: 60 })
const NEW: ConnectionState = { status: 'DISCONNECTED', codes: 0, cause: null }

/** Returns the states of a connection after each change, beginning with one never started. */
const walk = (life: readonly ConnectionChange[]) => {
  let state = NEW
  return life.map((change) => {
    const before = state
    const next = stateAfter(state, change)
    state = next ?? state
    return { change, before, after: state, isTaken: next !== null }
  })
}

describe('the life of a connection, whatever happens to it', () => {
  // The simplest that could be said of each change, beside the table that is tested.
  test('it goes on as its model does', () => {
    fc.assert(
      fc.property(lives, (life) => {
        let [isStopped, isThrough, codes] = [true, false, 0]
        for (const { change, after, isTaken } of walk(life)) {
          const isLate = (isStopped && change !== 'start' && change !== 'end') || (isThrough && change === 'pairing')
          if (isLate || (isThrough && change === 'qrcode')) expect(isTaken).toBe(false)
          if (!isTaken) continue
          const isLast = codes === MOST_CODES && (change === 'qrcode' || change === 'expired')
          if (change === 'qrcode' && !isLast) codes++
          if (change === 'start' || change === 'connected') codes = 0
          if (change !== 'expired' || isLast) isStopped = change === 'end' || isLast
          isThrough = change === 'connected' || (isThrough && change === 'expired')
          expect([after.status === 'DISCONNECTED', after.status === 'CONNECTED', after.codes]).toEqual([
            isStopped,
            isThrough,
            codes,
          ])
          expect(after.codes).toBeLessThanOrEqual(MOST_CODES)
          if (isThrough) expect(after.cause).toBeNull()
          if (after.status === 'DISCONNECTED' || after.status === 'TIMEOUT') expect(after.cause).not.toBeNull()
        }
      }),
    )
  })

  test('only a person starts what waits for one, can always end and start it, and from there it gets through', () => {
    fc.assert(
      fc.property(lives, (life) => {
        for (const { change, before, after } of walk(life))
          if (before.status === 'DISCONNECTED' && after.status !== 'DISCONNECTED') expect(change).toBe('start')
        expect(walk([...life, 'end']).at(-1)!.after.status).toBe('DISCONNECTED')
        expect(walk([...life, 'start', 'connected']).at(-1)!.after).toEqual({
          ...{ status: 'CONNECTED', codes: 0, cause: null },
        })
      }),
    )
  })

  test('every status is reached, and every open one can be lost and come back', () => {
    const reached = all.flatMap((status) => changes.map((change) => stateAfter({ ...NEW, status }, change)?.status))
    expect(new Set(reached)).toEqual(new Set([...all, undefined]))
    for (const status of all) {
      if (status === 'DISCONNECTED') continue
      const lost = stateAfter({ ...NEW, status }, 'lost')!
      expect([lost.status, lost.cause]).toEqual(['TIMEOUT', 'network'])
      expect(stateAfter(lost, 'connected')).toEqual({ status: 'CONNECTED', codes: 0, cause: null })
    }
  })
})

test('whoever says what cannot follow is late, and changes nothing', () => {
  const refused = (status: ConnectionStatus) =>
    changes.filter((change) => stateAfter({ status, codes: 1, cause: null }, change) === null)
  expect(Object.fromEntries(all.map((status) => [status, refused(status)]))).toEqual({
    ...{ OPENING: ['expired'], qrcode: [], PAIRING: ['expired'], TIMEOUT: ['expired'] },
    CONNECTED: ['qrcode', 'expired', 'pairing'],
    DISCONNECTED: ['open', 'qrcode', 'expired', 'pairing', 'connected', 'lost'],
  })
})

test('six codes that nobody read are shown, and then it waits for a person; moving it elsewhere begins no new count', () => {
  const life: ConnectionChange[] = [
    'start',
    ...Array.from({ length: MOST_CODES }, () => ['qrcode', 'open'] as const).flat(),
  ]
  expect(walk(life).at(-1)!.after).toMatchObject({ status: 'OPENING', codes: 6 })
  expect(walk([...life, 'qrcode']).at(-1)!.after).toMatchObject({ status: 'DISCONNECTED', cause: 'unread' })
  const unread = ['start', 'qrcode', 'expired', 'qrcode', 'qrcode', 'qrcode', 'qrcode', 'qrcode', 'expired'] as const
  expect(
    walk(unread)
      .map(({ after }) => after.status)
      .slice(-2),
  ).toEqual(['qrcode', 'DISCONNECTED'])
})

test('what stops it stands there until it is started; only a link that is no more takes its keys along', () => {
  for (const cause of STOP_CAUSES) {
    const stopped = stateAfter({ status: 'CONNECTED', codes: 0, cause: null }, 'end', cause)!
    expect(stopped).toEqual({ status: 'DISCONNECTED', codes: 0, cause })
    expect(stateAfter(stopped, 'connected')).toBeNull()
    expect(stateAfter(stopped, 'start')).toEqual({ status: 'OPENING', codes: 0, cause: null })
  }
  expect(STOP_CAUSES.filter(losesKeys)).toEqual(['unlinked', 'mismatch'])
})

test('a lost connection is tried again after 1 s, then ever more rarely, once a minute for ever', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8, 5000].map(secondsToReopen)).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60])
})
