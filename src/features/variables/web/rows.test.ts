import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Choices } from '#web/choices.ts'
import { rowsOf, type Use, written } from './rows.ts'

beforeEach(() => void vi.stubGlobal('localStorage', { getItem: () => null }))
afterEach(() => void vi.unstubAllGlobals())

const use = (name: string, kind: Use['kind'], id: number): Use => ({ name, kind, id, title: `${kind} ${id}` })
const own = [
  { id: 1, name: 'prazo', kind: 'constant', label: 'prazo', example: '7 dias' },
  { id: 2, name: 'campo.plano', kind: 'field', label: 'Plano', example: 'Ouro' },
  { id: 7, name: 'pedido', kind: 'captured', label: 'Loja', example: '' },
  { id: 8, name: 'pedido', kind: 'captured', label: 'Pós-venda', example: '' },
  { id: 7, name: 'loja.', kind: 'captured', label: 'Loja', example: '' },
] as Choices['variables'][]

test('each variable stands once, with where it is used; what nothing fills there comes first', () => {
  const uses = [
    use('prazo', 'farewell', 3),
    use('pedido', 'flow', 7),
    use('pedido', 'flow', 9),
    use('pedido', 'fastReply', 4),
    use('loja.total', 'flow', 7),
    use('firstName', 'flow', 9),
    use('nmae', 'macro', 5),
  ]
  const rows = rowsOf(own, uses)
  const shown = rows.map(({ name, kind, uses: at }) => [name, kind, at.map((one) => `${one.kind} ${one.id}`)])
  expect(shown.slice(0, 6)).toEqual([
    // A flow fills what it captures for itself alone.
    ['pedido', 'unknown', ['flow 9', 'fastReply 4']],
    ['nmae', 'unknown', ['macro 5']],
    ['prazo', 'constant', ['farewell 3']],
    ['campo.plano', 'field', []],
    ['pedido', 'captured', ['flow 7']],
    ['loja.', 'captured', ['flow 7']],
  ])
  expect(shown.find(([name]) => name === 'firstName')).toEqual(['firstName', 'standard', ['flow 9']])
  expect(rows.find(({ kind }) => kind === 'captured')!.label).toBe('Guardada por “Loja”, “Pós-venda”')
  expect(['prazo', 'loja.'].map(written)).toEqual(['{{prazo}}', '{{loja.…}}'])
})
