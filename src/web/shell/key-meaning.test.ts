import { expect, test } from 'vitest'
import { isCommand, type Meant, meantAfter, type Step, TEXT_MS } from './key-meaning.ts'

const start: Meant = { aim: 'page', wroteAt: Number.NEGATIVE_INFINITY }

test.each<[string, readonly (readonly [Step, number])[], number, boolean]>([
  ['on a page that was opened', [], 0, true],
  ['while the focus fell out of a field', [['field', 0]], 10_000, false],
  [
    'after the page was pressed',
    [
      ['field', 0],
      ['page', 10],
    ],
    10_000,
    true,
  ],
  [
    'right after a letter, wherever the focus is',
    [
      ['field', 0],
      ['letter', 5],
      ['page', 10],
    ],
    10 + TEXT_MS / 2,
    false,
  ],
  [
    'a second after the last letter',
    [
      ['field', 0],
      ['letter', 5],
      ['page', 10],
    ],
    5 + TEXT_MS,
    true,
  ],
  [
    'in the middle of a word that began as text',
    [
      ['letter', 0],
      ['letter', 900],
    ],
    1500,
    false,
  ],
])('whether a key is a command %s', (_, steps, now, expected) => {
  const meant = steps.reduce((before, [step, at]) => meantAfter(before, step, at), start)
  expect(isCommand(meant, now)).toBe(expected)
})
