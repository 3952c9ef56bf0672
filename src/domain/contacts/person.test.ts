import { expect, test } from 'vitest'
import { conflictsOf, noticeEdits, numbersOf, shownOf, stateOfOne } from './person.ts'

const ana = { name: 'Ana', email: '', number: '1', 'tag:1': 'true' }
const bia = { name: 'Bia', email: 'bia@casa.br', number: '2', 'tag:2': 'true' }
const joined = (mergeId: number, shown: Record<string, string>, keep = {}) => ({ mergeId, shown, keep })

test('what one has not comes from the other; what both have stays, unless the other’s was chosen', () => {
  const state = stateOfOne(ana)
  expect(shownOf(state, [joined(1, bia)])).toEqual({ ...ana, email: 'bia@casa.br', 'tag:2': 'true' })
  expect(shownOf(state, [joined(1, bia, { name: 'b' })])).toMatchObject({ name: 'Bia', number: '1' })
})

test('what was written after a merge is not changed by it, nor is what was taken away; a later merge may', () => {
  const shown = shownOf(stateOfOne(ana), [joined(1, bia)])
  const edited = noticeEdits({ ...stateOfOne(ana), shown }, { ...shown, email: 'nova@casa.br', 'tag:2': '' }, 1)
  expect(shownOf(edited, [joined(1, bia)])).toMatchObject({ email: 'nova@casa.br' })
  expect(shownOf(edited, [joined(1, bia)])).not.toHaveProperty('tag:2')
  const later = { email: 'caio@casa.br', 'tag:2': 'true' }
  expect(shownOf(edited, [joined(1, bia), joined(2, later, { email: 'b' })])).toMatchObject({
    email: 'caio@casa.br',
    'tag:2': 'true',
  })
  expect(shownOf(edited, [])).toEqual({ name: 'Ana', email: 'nova@casa.br', number: '1', 'tag:1': 'true' })
})

test('every number stays with one of a person’s contacts', () => {
  const members = [
    { id: 1, own: '' },
    { id: 2, own: '222' },
    { id: 3, own: '333' },
  ]
  expect([...numbersOf(members, '333')]).toEqual([
    [1, '333'],
    [2, '222'],
    [3, ''],
  ])
  expect([...numbersOf([{ id: 1, own: '111' }, ...members.slice(1)], '222')]).toEqual([
    [1, '222'],
    [2, '111'],
    [3, '333'],
  ])
})

test('conflicts are where both have something else', () =>
  expect(conflictsOf(ana, bia, ['email', 'number', 'name'])).toEqual(['number', 'name']))
