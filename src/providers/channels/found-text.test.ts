import { expect, test } from 'vitest'
import { textIn } from './found-text.ts'

test('a number in a field of text is shown as its digits, any other number is not', () => {
  expect(textIn({ text: 10, size: 3, button: { title: 20, id: 4 } })).toBe('10\n20')
})
