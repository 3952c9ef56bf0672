import type { Condition } from '#domain/rules/rules.ts'

type Field = Condition['field']

/** Returns a new condition on a field. */
export function conditionOf(field: Field): Condition {
  if (field === 'isOpen') return { field, is: true }
  return { field, is: true, values: [] }
}
