import { expect, test } from 'vitest'
import { plural, t } from './t.ts'

test.each([
  [0, '0 mensagens'],
  [1, '1 mensagem'],
  [2, '2 mensagens'],
  [1234, '1.234 mensagens'],
])('%i has its form of the noun', (count, said) => expect(plural(count, 'mensagem', 'mensagens')).toBe(said))

test('places without a value stay', () => expect(t('{a} e {b}', { a: 1 })).toBe('1 e {b}'))
