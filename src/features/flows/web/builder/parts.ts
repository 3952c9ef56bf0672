import { endId, itemsOf, type Point, pointOf, spotOf } from '#domain/flow/edit.ts'
import type { Interaction } from '#domain/flow/flow.ts'
import type { JsonObject } from '#domain/flow/json.ts'
import { type Parts, partsOf } from '#domain/flow/parts.ts'

/** Sizes of canvas items in px; the stylesheet uses the same heights. */
export const SIZE = {
  step: { width: 208, header: 38, row: 32, tallRow: 48, condition: 28 },
  end: { width: 182, height: 56 },
  start: { width: 92, height: 38 },
}

const longText = 26

/** Checks whether an interaction takes two lines of text. */
export const isTall = (interaction: Interaction): boolean =>
  interaction.does === 'message' && (interaction.text.length > longText || interaction.text.includes('\n'))

/** Returns the offset of a step's conditions, and its height. */
export function heightOf({ interactions, conditions, capture }: Parts): {
  readonly top: number
  readonly height: number
} {
  const { header, row, tallRow, condition } = SIZE.step
  const rows = interactions.reduce((sum, one) => sum + (isTall(one) ? tallRow : row), 0)
  const top = 1 + header + (interactions.length === 0 ? row : rows) + (capture ? row : 0)
  return { top, height: top + Math.max(conditions.length, 1) * condition + 1 }
}

/** Placed item of the canvas: the start, a step, or the destination of a condition outside of the flow. */
export type Spot = { readonly id: string; readonly at: Point; readonly width: number; readonly height: number }

/** Returns the position and size of a step. */
const stepSpot = (step: JsonObject, index: number): Spot => {
  const parts = partsOf(step)
  const at = pointOf(step) ?? spotOf(index)
  return { id: parts.id, at, width: SIZE.step.width, height: heightOf(parts).height }
}

const GAP = 16
const isOver = (a: Spot, b: Spot): boolean =>
  a.at.x < b.at.x + b.width && b.at.x < a.at.x + a.width && a.at.y < b.at.y + b.height && b.at.y < a.at.y + a.height

// Imported flows place their steps but not their ends: moves an end below what it would cover.
function clearOf(end: Spot, taken: readonly Spot[]): Spot {
  let clear = end
  for (let next = taken.find((one) => isOver(clear, one)); next; next = taken.find((one) => isOver(clear, one)))
    clear = { ...clear, at: { x: clear.at.x, y: next.at.y + next.height + GAP } }
  return clear
}

/** Step with its ends, placed. */
export type StepSpots = { readonly step: Spot; readonly ends: ReadonlyMap<number, Spot> }

/** Places all steps with their ends; ends without a stored position are moved clear of the others. */
export function spotsIn(steps: readonly JsonObject[]): StepSpots[] {
  const spots = steps.map((step, index) => endsOf(step, stepSpot(step, index)))
  const taken = spots.flatMap(({ step, placed }) => [step, ...placed.values()])
  return spots.map(({ step, placed, free }) => {
    const moved = [...free].map(([index, end]) => {
      const clear = clearOf(end, taken)
      taken.push(clear)
      return [index, clear] as const
    })
    return { step, ends: new Map([...placed, ...moved].sort(([a], [b]) => a - b)) }
  })
}

function endsOf(step: JsonObject, own: Spot) {
  const parts = partsOf(step)
  const [placed, free] = [new Map<number, Spot>(), new Map<number, Spot>()]
  itemsOf(step, 'conditions').forEach((one, position) => {
    if (parts.conditions[position]?.action.to === 'node') return
    const at = pointOf(one)
    const usual = { x: own.at.x + own.width + 60, y: own.at.y + (placed.size + free.size) * (SIZE.end.height + GAP) }
    const end = { id: endId(parts.id, position), at: at ?? usual, ...SIZE.end }
    if (at) placed.set(position, end)
    else free.set(position, end)
  })
  return { step: own, placed, free }
}
