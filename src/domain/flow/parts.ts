import { itemsOf } from './edit.ts'
import type { Condition, Interaction } from './flow.ts'
import { type JsonObject, textOf } from './json.ts'
import { fieldsOf, readCondition, readInteraction } from './read.ts'

/** Parsed step of a document that is edited: items in document order. */
export type Parts = {
  readonly id: string
  readonly name: string
  readonly interactions: readonly Interaction[]
  readonly conditions: readonly Condition[]
  readonly wait: boolean
  readonly capture: { readonly key: string; readonly isNumber: boolean } | null
}

const known = new WeakMap<JsonObject, Parts>()

/** Parses a step; cached while the step is unchanged. */
export function partsOf(step: JsonObject): Parts {
  const found = known.get(step)
  if (found) return found
  const fields = fieldsOf(step)
  const key = textOf(fields['variableKey']).trim()
  const parts: Parts = {
    id: textOf(step['id']),
    name: textOf(step['name']) || textOf(fields['name']) || textOf(step['id']),
    interactions: itemsOf(step, 'interactions').map(readInteraction),
    conditions: itemsOf(step, 'conditions').map(readCondition),
    wait: fields['wait'] !== false,
    capture: key === '' ? null : { key, isNumber: fields['variableType'] === 'number' },
  }
  known.set(step, parts)
  return parts
}

/** Returns the options that a step offers, in order. */
export const offeredBy = ({ interactions }: Parts): readonly string[] =>
  interactions.flatMap((one) => (one.does === 'options' ? one.options : []))

/** Returns the options of a step that no condition tests. */
export function optionsWithoutCondition(parts: Parts): readonly string[] {
  const asked = new Set(parts.conditions.flatMap(({ test }) => (test.of === 'answer' ? test.values : [])))
  return [...new Set(offeredBy(parts))].filter((option) => option.trim() !== '' && !asked.has(option))
}
