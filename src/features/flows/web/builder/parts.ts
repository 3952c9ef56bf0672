import { endId, itemsOf, type Point, pointOf, spotOf } from '#domain/flow/edit.ts'
import type { Condition, Interaction } from '#domain/flow/flow.ts'
import { type JsonObject, textOf } from '#domain/flow/json.ts'
import { fieldsOf, readCondition, readInteraction } from '#domain/flow/read.ts'

/** A step as the canvas and the outline show it: items in the order of the document, beside what they are written as. */
export type Parts = {
  readonly id: string
  readonly name: string
  readonly interactions: readonly Interaction[]
  readonly conditions: readonly Condition[]
  readonly wait: boolean
  readonly capture: { readonly key: string; readonly isNumber: boolean } | null
}

const known = new WeakMap<JsonObject, Parts>()

/** A step read for its view; read once for as long as it stays as it is. */
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

/** The options that a step offers, in order. */
export const offeredBy = ({ interactions }: Parts): readonly string[] =>
  interactions.flatMap((one) => (one.does === 'options' ? one.options : []))

/** The options that a step offers, and for which no condition asks. */
export function optionsWithoutCondition(parts: Parts): readonly string[] {
  const asked = new Set(parts.conditions.flatMap(({ test }) => (test.of === 'answer' ? test.values : [])))
  return [...new Set(offeredBy(parts))].filter((option) => option.trim() !== '' && !asked.has(option))
}

/** Measures of what stands on the canvas, in px; the sheet's rows have the same heights. */
export const SIZE = {
  step: { width: 208, header: 38, row: 32, tallRow: 48, condition: 28 },
  end: { width: 182, height: 56 },
  start: { width: 92, height: 38 },
}

const longText = 26

/** Whether an interaction takes two rows of text. */
export const isTall = (interaction: Interaction): boolean =>
  interaction.does === 'message' && (interaction.text.length > longText || interaction.text.includes('\n'))

/** How far down a step's conditions begin, and how tall it is. */
export function heightOf({ interactions, conditions, capture }: Parts): {
  readonly top: number
  readonly height: number
} {
  const { header, row, tallRow, condition } = SIZE.step
  const rows = interactions.reduce((sum, one) => sum + (isTall(one) ? tallRow : row), 0)
  const top = 1 + header + (interactions.length === 0 ? row : rows) + (capture ? row : 0)
  return { top, height: top + Math.max(conditions.length, 1) * condition + 1 }
}

/** Something that stands on the canvas: the start, a step, or the end of a condition that leads out of the flow. */
export type Spot = { readonly id: string; readonly at: Point; readonly width: number; readonly height: number }

/** A step with its ends, where they stand. */
export function spotsOf(
  step: JsonObject,
  index: number,
): { readonly step: Spot; readonly ends: ReadonlyMap<number, Spot> } {
  const parts = partsOf(step)
  const at = pointOf(step) ?? spotOf(index)
  const { height } = heightOf(parts)
  const ends = new Map<number, Spot>()
  itemsOf(step, 'conditions').forEach((one, position) => {
    if (parts.conditions[position]?.action.to === 'node') return
    const usual = { x: at.x + SIZE.step.width + 60, y: at.y + ends.size * (SIZE.end.height + 16) }
    ends.set(position, { id: endId(parts.id, position), at: pointOf(one) ?? usual, ...SIZE.end })
  })
  return { step: { id: parts.id, at, width: SIZE.step.width, height }, ends }
}
