import { expect, test } from 'vitest'
import { fieldText, targetText, valueText } from './labels.ts'

test.each([
  [{ id: 7 }, 'nº 7'],
  [{ queueId: 3, other: 'x' }, 'Fila 3, other x'],
  [{ key: 'showGroupsForAll' }, 'Mostrar grupos para todos'],
  [{ key: 'toString' }, 'key toString'],
])('%o reads %s', (target, text) => {
  expect(targetText(target)).toBe(text)
})

test('fields and settings have the names that people know', () => {
  expect(['restrictedUser', 'forceLogout', 'unheardOf'].map(fieldText)).toEqual([
    'Usuário restrito',
    'Forçar logout',
    'unheardOf',
  ])
})

test.each([
  [null, '—'],
  [[], '—'],
  [true, 'Sim'],
  [7, '7'],
  [
    [
      { id: 1, queue: 'Vendas' },
      { id: 2, queue: 'Agenda' },
    ],
    'Vendas, Agenda',
  ],
  [[{ id: 1, name: 'Loja' }], 'Loja'],
  [[{ day: 1 }, 'x', ['y']], '{"day":1}, x, y'],
  [{ massa: true }, '{"massa":true}'],
])('%j is written %s', (value, text) => {
  expect(valueText(value)).toBe(text)
})
