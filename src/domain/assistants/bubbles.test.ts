import { expect, test } from 'vitest'
import { asMessage, MOST_BUBBLES, toBubbles } from './bubbles.ts'

test.each([
  ['**negrito** e __negrito__', '*negrito* e *negrito*'],
  ['# Título\ntexto', '*Título*\ntexto'],
  ['- um\n* dois\n+ três', '• um\n• dois\n• três'],
  ['~~antes~~ depois', '~antes~ depois'],
  ['2 * 3 * 4', '2 * 3 * 4'],
  ['[site](https://a.test/b)', 'site (https://a.test/b)'],
  ['[https://a.test](https://a.test)', 'https://a.test'],
  ['a\n\n\n\nb\r\n', 'a\n\nb'],
])('%j reads %j', (markdown, text) => {
  expect(asMessage(markdown)).toBe(text)
})

test('a long answer leaves in at most three messages, none longer than its channel takes', () => {
  const paragraph = 'palavra '.repeat(100).trim()
  const bubbles = toBubbles(Array.from({ length: 9 }, () => paragraph).join('\n\n'), 4000)
  expect(bubbles).toHaveLength(MOST_BUBBLES)
  expect(bubbles.every((one) => one.length <= 4000)).toBe(true)
  expect(toBubbles('curto\n\noutro', 4000)).toEqual(['curto\n\noutro'])
  expect(toBubbles('abcdef', 4)).toEqual(['abc…'])
})
