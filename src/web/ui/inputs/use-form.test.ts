import { expect, test } from 'vitest'
import { errorsByField } from './use-form.ts'

const values = { name: '', title: '', businessHours: null }

test.each([
  ['a field', ['name'], { name: 'Não.' }],
  ['a part of a field', ['businessHours', 0, 'hr1'], { businessHours: 'Não.' }],
  ['a field that the contract keeps inside of another', ['look', 'title'], { title: 'Não.' }],
  ['nothing that the form has', ['tenantId'], {}],
  ['the whole', [], {}],
])('what is wrong with %s', (_, path, found) => {
  expect(errorsByField([{ path, message: 'Não.' }], values)).toEqual(found)
})

test('a field shows the first thing that is wrong with it', () => {
  const issues = ['Primeiro.', 'Segundo.'].map((message) => ({ path: ['name'], message }))
  expect(errorsByField(issues, values)).toEqual({ name: 'Primeiro.' })
})
