import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toggleMark } from './mark.ts'
import { parseText } from './rich-text.ts'

/** `[` and `]` mark the selection. */
const toggled = (text: string) => {
  const [start, end] = [text.indexOf('['), text.indexOf(']') - 1]
  const next = toggleMark({ text: text.replace(/[[\]]/g, ''), start, end }, '*')
  return `${next.text.slice(0, next.start)}[${next.text.slice(next.start, next.end)}]${next.text.slice(next.end)}`
}

test.each([
  ['São [5 números].', 'São [*5 números*].'],
  ['São [*5 números*].', 'São [5 números].'],
  ['São *[5 números]*.', 'São [5 números].'],
  ['São[ 5 números ].', 'São[ *5 números* ].'],
  ['Oi []', 'Oi *[]*'],
  ['[Um\n\nDois ]', '[*Um*\n\n*Dois* ]'],
  ['[*Um*\n*Dois*]', '[Um\nDois]'],
  ['[*Um*\nDois]', '[**Um**\n*Dois*]'],
])('%j becomes %j', (before, after) => {
  expect(toggled(before)).toBe(after)
})

test('what was marked is bold, and marking it twice changes nothing', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{1,8}( [a-z]{1,8}){0,3}$/), (text) => {
      const marked = toggleMark({ text, start: 0, end: text.length }, '*')
      expect(parseText(marked.text)).toEqual([{ kind: 'bold', of: [{ kind: 'text', text }] }])
      expect(toggleMark(marked, '*')).toEqual({ text, start: 0, end: text.length })
    }),
  )
})
