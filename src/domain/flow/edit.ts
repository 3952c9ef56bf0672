import { edgesIn, type FlowDocument, nodeListOf, nodesIn } from './document.ts'
import { isObject, type JsonObject, numberOf, objectsIn, textOf } from './json.ts'
import { fieldsOf, readCondition, settingsOf } from './read.ts'

/** Position on the canvas. */
export type Point = { readonly x: number; readonly y: number }

/** Fields of a step that are lists. */
export type ItemList = 'interactions' | 'conditions'

const COLUMN = 300
const ROW = 260
const isStart = ({ id, type }: JsonObject) => type === 'start' || id === 'start'
const isSettings = ({ type }: JsonObject) => type === 'configurations'
const idOfNode = (node: JsonObject) => textOf(node['id'])

/** Returns the steps of a flow in document order; of several with the same id the last, as the engine does. */
export function stepsIn(document: FlowDocument): readonly JsonObject[] {
  const steps = nodesIn(document).filter((node) => !isStart(node) && !isSettings(node))
  return [...new Map(steps.map((node) => [idOfNode(node), node])).values()]
}

/** Returns the start node; null if there is none. */
export const startIn = (document: FlowDocument): JsonObject | null => nodesIn(document).find(isStart) ?? null

/** Returns the configurations of a flow as written. */
export function settingsIn(document: FlowDocument): JsonObject {
  const node = nodesIn(document).find(isSettings)
  return node ? settingsOf(node) : {}
}

/** Returns the interactions or conditions of a step as written. */
export const itemsOf = (step: JsonObject, list: ItemList): readonly JsonObject[] => objectsIn(fieldsOf(step)[list])

/** Returns the position of a node or a condition's end; null if it was never placed. */
export function pointOf(value: JsonObject): Point | null {
  const { left, top } = fieldsOf(value)
  const x = numberOf(textOf(left).replace(/px$/, ''))
  const y = numberOf(textOf(top).replace(/px$/, ''))
  return x === null || y === null ? null : { x, y }
}

/** Default position of the nth node without one. */
export const spotOf = (index: number): Point => ({ x: 60 + (index % 4) * COLUMN, y: 60 + Math.floor(index / 4) * ROW })

/** Sets a field in place: below `data` or at the top level. */
export function withField(value: JsonObject, key: string, next: unknown): JsonObject {
  const { data } = value
  const below = typeof data === 'string' ? { message: data } : data
  if (isObject(below) && (key in below || !(key in value))) return { ...value, data: { ...below, [key]: next } }
  return { ...value, [key]: next }
}

const withPoint = (value: JsonObject, { x, y }: Point): JsonObject =>
  withField(withField(value, 'left', `${Math.round(x)}px`), 'top', `${Math.round(y)}px`)

const withNodes = (document: FlowDocument, change: (node: JsonObject) => JsonObject): FlowDocument => ({
  ...document,
  nodeList: nodeListOf(document).map((node) => (isObject(node) ? change(node) : node)),
})

/** Changes one node. */
export const changeNode = (
  document: FlowDocument,
  id: string,
  change: (node: JsonObject) => JsonObject,
): FlowDocument => withNodes(document, (node) => (idOfNode(node) === id ? change(node) : node))

/** Replaces the items of a step's list, and updates the drawn conditions. */
export function changeItems(
  document: FlowDocument,
  stepId: string,
  list: ItemList,
  change: (items: readonly JsonObject[]) => readonly JsonObject[],
): FlowDocument {
  return withEdges(changeNode(document, stepId, (step) => withField(step, list, change(itemsOf(step, list)))))
}

/** Returns the items with one moved to another index. */
export function movedItem<T>(items: readonly T[], from: number, to: number): readonly T[] {
  const rest = items.filter((_, index) => index !== from)
  return [...rest.slice(0, to), ...items.slice(from, from + 1), ...rest.slice(to)]
}

/** Sets the positions of nodes (by id) and of conditions' ends (by `id#index`). */
export function moveNodes(document: FlowDocument, points: ReadonlyMap<string, Point>): FlowDocument {
  return withNodes(document, (node) => {
    const id = idOfNode(node)
    const point = points.get(id)
    const conditions = itemsOf(node, 'conditions')
    const placed = conditions.map((one, index) => {
      const end = points.get(endId(id, index))
      return end ? withPoint(one, end) : one
    })
    const isMoved = placed.some((one, index) => one !== conditions[index])
    const moved = isMoved ? withField(node, 'conditions', placed) : node
    return point ? withPoint(moved, point) : moved
  })
}

/** Returns the id of the canvas node at which a condition leaves the flow. */
export const endId = (stepId: string, index: number): string => `${stepId}#${index}`

/** Adds a step. */
export const addStep = (document: FlowDocument, step: JsonObject): FlowDocument =>
  withEdges({ ...document, nodeList: [...nodeListOf(document), step] })

/** Creates a step without conditions. */
export function newStep(id: string, name: string, { x, y }: Point, interactions: readonly JsonObject[] = []) {
  const conditions: readonly JsonObject[] = []
  return { id, name, type: 'node', left: `${Math.round(x)}px`, top: `${Math.round(y)}px`, interactions, conditions }
}

/** Removes steps; conditions that led to them get an empty target. */
export function removeSteps(document: FlowDocument, ids: ReadonlySet<string>): FlowDocument {
  const nodeList = nodeListOf(document).filter(
    (node) => !isObject(node) || isStart(node) || isSettings(node) || !ids.has(idOfNode(node)),
  )
  const edges = edgesIn(document).filter(({ to }) => !ids.has(textOf(to)))
  return withEdges(
    withNodes({ ...document, nodeList, lineList: edges }, (node) => redirected(node, (id) => (ids.has(id) ? '' : id))),
  )
}

/** Returns a step whose conditions lead to the targets that `other` returns. */
function redirected(step: JsonObject, other: (id: string) => string): JsonObject {
  const conditions = itemsOf(step, 'conditions')
  const next = conditions.map((one) => {
    const { action } = readCondition(one)
    if (action.to !== 'node' || other(action.nodeId) === action.nodeId) return one
    return withField(one, 'nextStepId', other(action.nodeId))
  })
  return next.some((one, index) => one !== conditions[index]) ? withField(step, 'conditions', next) : step
}

/** Connects the start (`index` null) or a condition of a step to another step; null: removes the target. */
export function connect(
  document: FlowDocument,
  from: { readonly id: string; readonly index: number | null },
  to: string | null,
): FlowDocument {
  if (from.index === null) {
    const starts = new Set(['start', from.id])
    const rest = edgesIn(document).filter((edge) => !starts.has(textOf(edge['from'])))
    return { ...document, lineList: [...(to === null ? [] : [{ from: from.id, to }]), ...rest] }
  }
  return changeItems(document, from.id, 'conditions', (all) =>
    all.map((one, index) =>
      index === from.index ? withField(withField(one, 'action', 0), 'nextStepId', to ?? '') : one,
    ),
  )
}

/**
 * Adds copies of steps under new ids, moved by `by`. Targets among the copied steps become the copies; other targets are
 * kept if they exist here, else emptied.
 */
export function pasteSteps(
  document: FlowDocument,
  copied: readonly JsonObject[],
  by: Point,
  newId: () => string,
): { readonly document: FlowDocument; readonly ids: readonly string[] } {
  const here = new Set(stepsIn(document).map(idOfNode))
  const names = new Map(copied.map((step) => [idOfNode(step), newId()]))
  const copies = copied.map((step, index) => {
    const { x, y } = pointOf(step) ?? spotOf(index)
    const copy = redirected(step, (id) => names.get(id) ?? (here.has(id) ? id : ''))
    return withPoint({ ...copy, id: names.get(idOfNode(step)) }, { x: x + by.x, y: y + by.y })
  })
  const nodeList = [...nodeListOf(document), ...copies]
  return { document: withEdges({ ...document, nodeList }), ids: [...names.values()] }
}

/** Changes fields of one part of the configurations, or the list that it is; creates missing configurations. */
export function changeSettings(
  document: FlowDocument,
  part: string,
  fields: JsonObject | readonly string[],
): FlowDocument {
  const change = (settings: JsonObject): JsonObject => {
    const now = settings[part]
    if (!isObject(fields)) return { ...settings, [part]: fields }
    const whole = Object.entries(fields).reduce(
      (all, [key, next]) => withField(all, key, next),
      isObject(now) ? now : {},
    )
    return { ...settings, [part]: whole }
  }
  const node = nodesIn(document).find(isSettings)
  if (!node) {
    const added = { id: 'configurations', name: 'Configurações', type: 'configurations', configurations: change({}) }
    return { ...document, nodeList: [...nodeListOf(document), added] }
  }
  const settings = fieldsOf(node)['configurations']
  const next = isObject(settings) ? withField(node, 'configurations', change(settings)) : change(node)
  return withNodes(document, (one) => (one === node ? next : one))
}

/**
 * Derives the edges from the conditions: existing ones are kept, missing ones added, others removed. The start's edge
 * remains.
 */
function withEdges(document: FlowDocument): FlowDocument {
  const start = startIn(document)
  const starts = new Set(['start', ...(start ? [idOfNode(start)] : [])])
  const before = edgesIn(document)
  const keyOf = (from: unknown, to: unknown) => JSON.stringify([textOf(from), textOf(to)])
  const drawn = new Map(before.map((edge) => [keyOf(edge['from'], edge['to']), edge]))
  const wanted = new Map(
    stepsIn(document).flatMap((step) =>
      itemsOf(step, 'conditions').flatMap((one) => {
        const { action } = readCondition(one)
        if (action.to !== 'node' || action.nodeId === '') return []
        const edge = { from: idOfNode(step), to: action.nodeId }
        return [[keyOf(edge.from, edge.to), edge] as const]
      }),
    ),
  )
  const first = before.filter(({ from }) => starts.has(textOf(from)))
  const rest = [...wanted].map(([key, edge]) => drawn.get(key) ?? edge)
  return { ...document, lineList: [...first, ...rest] }
}

/** Returns the steps in reading order: along the paths from the start, then unreachable ones. */
export function stepsInOrder(document: FlowDocument): readonly JsonObject[] {
  const steps = stepsIn(document)
  const byId = new Map(steps.map((step) => [idOfNode(step), step]))
  const start = startIn(document)
  const starts = new Set(['start', ...(start ? [idOfNode(start)] : [])])
  const next = edgesIn(document).flatMap(({ from, to }) => (starts.has(textOf(from)) ? [textOf(to)] : []))
  const found = new Set<JsonObject>()
  for (const id of next) {
    const step = byId.get(id)
    if (!step || found.has(step)) continue
    found.add(step)
    for (const one of itemsOf(step, 'conditions')) {
      const { action } = readCondition(one)
      if (action.to === 'node') next.push(action.nodeId)
    }
  }
  return [...found, ...steps.filter((step) => !found.has(step))]
}
