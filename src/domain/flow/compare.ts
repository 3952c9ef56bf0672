import { itemAt } from '../present.ts'
import { edgesIn, type FlowDocument, nodeListOf } from './document.ts'
import { type ItemList, itemsOf, settingsIn, startIn, stepsIn } from './edit.ts'
import { type JsonObject, textOf } from './json.ts'
import { fieldsOf } from './read.ts'

/** Interaction or condition as written, with its index in the list. */
type Item = { readonly value: JsonObject; readonly index: number }

/** Change of one interaction or condition; `before` null: added, `after` null: removed. */
export type ItemChange = { readonly list: ItemList; readonly before: Item | null; readonly after: Item | null }

/** Change of a step (`before` null: added, `after` null: removed), with the changes of its items and other fields. */
export type StepChange = {
  readonly id: string
  readonly before: JsonObject | null
  readonly after: JsonObject | null
  readonly items: readonly ItemChange[]
  /** Names of the lists whose items are unchanged but reordered. */
  readonly reordered: readonly ItemList[]
  /** Names of other changed fields, such as `name`, `wait`, `variableKey`. */
  readonly fields: readonly string[]
}

/** Difference between two flows, regardless of positions on the canvas. */
export type FlowChange = {
  readonly steps: readonly StepChange[]
  /** Names of the changed parts of the configurations. */
  readonly settings: readonly string[]
  /** First node before and after; null if unchanged. */
  readonly start: { readonly before: string; readonly after: string } | null
}

/** Fields that do not affect a flow's behaviour: layout, references and the lists that are compared separately. */
const DRAWN = new Set(['id', 'left', 'top', 'ico', 'viewOnly', 'status', 'data', 'interactions', 'conditions'])

/** Returns the differences between two flow documents; documents of different origin with equal meaning have none. */
export function changesBetween(before: FlowDocument, after: FlowDocument): FlowChange {
  const old = byId(stepsIn(before))
  const now = byId(stepsIn(after))
  const steps = [...new Set([...now.keys(), ...old.keys()])].flatMap((id) => stepChange(id, old.get(id), now.get(id)))
  const [settings, others] = [settingsIn(after), settingsIn(before)]
  const parts = new Set([...Object.keys(settings), ...Object.keys(others)])
  const begins = { before: firstOf(before), after: firstOf(after) }
  return {
    steps,
    settings: [...parts].filter((key) => !DRAWN.has(key) && meaningOf(settings[key]) !== meaningOf(others[key])),
    start: begins.before === begins.after ? null : begins,
  }
}

/** Returns the later document with the removed steps added, to display both. */
export function withRemoved(after: FlowDocument, { steps }: FlowChange): FlowDocument {
  const gone = steps.flatMap((step) => (step.before && !step.after ? [step.before] : []))
  return gone.length === 0 ? after : { ...after, nodeList: [...nodeListOf(after), ...gone] }
}

const byId = (steps: readonly JsonObject[]) => new Map(steps.map((step) => [textOf(step['id']), step]))

function firstOf(document: FlowDocument): string {
  const start = textOf(startIn(document)?.['id']) || 'start'
  const first = edgesIn(document).find(({ from }) => textOf(from) === start || textOf(from) === 'start')
  return textOf(first?.['to'])
}

function stepChange(id: string, before: JsonObject | undefined, after: JsonObject | undefined): StepChange[] {
  if (!before || !after)
    return [{ id, before: before ?? null, after: after ?? null, items: [], reordered: [], fields: [] }]
  const lists = (['interactions', 'conditions'] as const).map((list) => listChange(list, before, after))
  const items = lists.flatMap((one) => one.items)
  const reordered = lists.flatMap((one) => (one.isReordered ? [one.list] : []))
  const [old, now] = [fieldsOf(before), fieldsOf(after)]
  const fields = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
    (key) => !DRAWN.has(key) && meaningOf(old[key]) !== meaningOf(now[key]),
  )
  if (items.length === 0 && reordered.length === 0 && fields.length === 0) return []
  return [{ id, before, after, items, reordered, fields }]
}

function listChange(list: ItemList, before: JsonObject, after: JsonObject) {
  const pairs = pairsOf(itemsOf(before, list), itemsOf(after, list))
  const items = pairs.flatMap(([old, now]) =>
    old && now && itemMeaning(old.value) === itemMeaning(now.value) ? [] : [{ list, before: old, after: now }],
  )
  const order = pairs.flatMap(([old, now]) => (old && now ? [old.index] : []))
  const isReordered = order.some((index, position) => position > 0 && index < itemAt(order, position - 1))
  return { list, items, isReordered }
}

type Pair = readonly [Item | null, Item | null]

/** Pairs old with new items: by id, else by meaning, else by order; returns added items in order, then removed ones. */
function pairsOf(before: readonly JsonObject[], after: readonly JsonObject[]): Pair[] {
  const left = new Map(before.map((value, index) => [index, value]))
  const found = new Map<number, number>()
  const match = (isSameItem: (old: JsonObject, now: JsonObject) => boolean) => {
    after.forEach((now, index) => {
      if (found.has(index)) return
      for (const [old, value] of left) {
        if (!isSameItem(value, now)) continue
        found.set(index, old)
        left.delete(old)
        return
      }
    })
  }
  match((old, now) => textOf(old['id']) !== '' && textOf(old['id']) === textOf(now['id']))
  match((old, now) => itemMeaning(old) === itemMeaning(now))
  match(
    (old, now) => textOf(old['type']) === textOf(now['type']) && (old['id'] ?? '') === '' && (now['id'] ?? '') === '',
  )
  return [
    ...after.map((value, index): Pair => {
      const old = found.get(index)
      return [old === undefined ? null : { value: itemAt(before, old), index: old }, { value, index }]
    }),
    ...[...left].map(([index, value]): Pair => [{ value, index }, null]),
  ]
}

/** Returns an item without its id and canvas position. */
const itemMeaning = (item: JsonObject): string => {
  const { id: _id, left: _left, top: _top, data, ...rest } = item
  const below = typeof data === 'object' && data !== null ? { ...data, left: undefined, top: undefined } : data
  return meaningOf({ ...rest, data: below })
}

/** Serializes a value as text, regardless of the order of keys. */
function meaningOf(value: unknown): string {
  return (
    JSON.stringify(value, (_, one: unknown) =>
      typeof one === 'object' && one !== null && !Array.isArray(one)
        ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
        : one,
    ) ?? ''
  )
}
