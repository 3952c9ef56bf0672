import { expect, test } from 'vitest'
import { changesOf, isFall, type NumberState, type NumberStateChange } from './number-state.ts'

const good: NumberState = { quality: 'GREEN', dailyLimit: 1000, status: 'CONNECTED', nameStatus: 'APPROVED' }

test('a number that is read for the first time has changed nothing; afterwards each part that is another is told', () => {
  expect(changesOf(null, { ...good, quality: 'RED' })).toEqual([])
  expect(changesOf(good, good)).toEqual([])
  expect(changesOf(good, { quality: 'RED', dailyLimit: 250, status: 'FLAGGED', nameStatus: 'DECLINED' })).toEqual([
    { what: 'quality', before: 'GREEN', after: 'RED' },
    { what: 'limit', before: '1000', after: '250' },
    { what: 'status', before: 'CONNECTED', after: 'FLAGGED' },
    { what: 'name', before: 'APPROVED', after: 'DECLINED' },
  ])
})

test('what the provider does not say is no change', () => {
  expect(changesOf(good, { quality: null, dailyLimit: null, status: '', nameStatus: '' })).toEqual([])
})

const falls: readonly [NumberStateChange['what'], string | null, string, boolean][] = [
  ['quality', 'GREEN', 'YELLOW', true],
  ['quality', 'YELLOW', 'RED', true],
  ['quality', 'RED', 'GREEN', false],
  ['quality', null, 'RED', true],
  ['quality', null, 'GREEN', false],
  ['limit', '1000', '250', true],
  ['limit', '0', '100000', true],
  ['limit', '250', '0', false],
  ['limit', null, '250', false],
  ['status', 'CONNECTED', 'FLAGGED', true],
  ['status', 'FLAGGED', 'CONNECTED', false],
  ['name', 'PENDING_REVIEW', 'DECLINED', true],
  ['name', 'PENDING_REVIEW', 'APPROVED', false],
  ['restriction', null, 'RESTRICTED_BIZ_INITIATED_MESSAGING', true],
  ['payment', null, '', true],
]
test.each(falls)('%s from %s to %s is a fall: %s', (what, before, after, fell) => {
  expect(isFall({ what, before, after })).toBe(fell)
})
