import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { macroForm } from '#features/macros/forms.ts'
import { ruleForm } from './forms.ts'

const close = { kind: 'close' }
const many = Array.from({ length: 21 }, () => close)
const rule = { name: 'Ruim', event: 'received', actions: [close] }
const macro = { name: 'Ruim', actions: [close] }
const if_ = (condition: object) => ({ conditions: [condition] })
const does = (action: object) => ({ actions: [action] })

/** Returns the fields that a form refuses, with the first sentence about each. */
function refused(form: z.ZodType, given: object): Record<string, string> {
  const { error } = form.safeParse(given)
  return Object.fromEntries((error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]))
}
function expectRefusal(form: z.ZodType, given: object, field: string): void {
  const said = refused(form, given)
  expect(Object.keys(said)).toEqual([field])
  expect(said[field]).toMatch(/^[A-ZÀ-Ú].*\.$/)
}

describe('a macro and a rule', () => {
  test.each<[string, object, string]>([
    ['no name', { name: ' ' }, 'name'],
    ['no action', { actions: [] }, 'actions'],
    ['21 actions', { actions: many }, 'actions'],
    ['an unknown action', does({ kind: 'explode' }), 'actions.0.kind'],
    ['no tag', does({ kind: 'tag', tagIds: [] }), 'actions.0.tagIds'],
    ['an empty text', does({ kind: 'text', body: ' \n' }), 'actions.0.body'],
    ['a huge text', does({ kind: 'note', body: 'x'.repeat(4001) }), 'actions.0.body'],
    ['putting off for ever', does({ kind: 'snooze', minutes: 525_601 }), 'actions.0.minutes'],
    ['putting off into the past', does({ kind: 'snooze', minutes: -1 }), 'actions.0.minutes'],
  ])('refuse %s', (_, given, field) => {
    expectRefusal(macroForm, { ...macro, ...given }, field)
    expectRefusal(ruleForm, { ...rule, ...given }, field)
  })

  test('take what is whole, and of an action nothing that is another’s', () => {
    for (const [form, whole] of [
      [macroForm, macro],
      [ruleForm, rule],
    ] as const) {
      expect(refused(form, whole)).toEqual({})
      expect(form.safeParse({ ...whole, ...does({ kind: 'close', body: 'x' }) }).success).toBe(false)
    }
  })
})

test('to whoever has it done is for macros alone: of a rule that is nobody', () => {
  const person = does({ kind: 'person', userId: null })
  expect(refused(macroForm, { ...macro, ...person })).toEqual({})
  expectRefusal(ruleForm, { ...rule, ...person }, 'actions.0.userId')
})

test.each<[string, object, string]>([
  ['an unknown event', { event: 'moon' }, 'event'],
  ['an unknown condition', if_({ field: 'mood', is: true }), 'conditions.0.field'],
  ['a condition with nothing', if_({ field: 'tagIds', is: true, values: [] }), 'conditions.0.values'],
  ['an empty word', if_({ field: 'phrases', is: true, values: [' '] }), 'conditions.0.values.0'],
  ['no tag among tags', if_({ field: 'tagIds', is: true, values: [null] }), 'conditions.0.values.0'],
  ['21 conditions', { conditions: Array.from({ length: 21 }, () => ({ field: 'isOpen', is: true })) }, 'conditions'],
])('a rule refuses %s', (_, given, field) => expectRefusal(ruleForm, { ...rule, ...given }, field))
