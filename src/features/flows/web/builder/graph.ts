import type { Edge, Node, Position } from '@xyflow/react'
import type { DistributionMode } from '#domain/distribution/distribute.ts'
import { edgesIn, type FlowDocument } from '#domain/flow/document.ts'
import { endId, type Point, pointOf, settingsIn, startIn, stepsIn } from '#domain/flow/edit.ts'
import type { Action } from '#domain/flow/flow.ts'
import { type JsonObject, textOf } from '#domain/flow/json.ts'
import { type Parts, partsOf } from '#domain/flow/parts.ts'
import { readConfigurations } from '#domain/flow/read.ts'
import { itemAt } from '#domain/present.ts'
import { heightOf, SIZE, type Spot, spotsIn } from './parts.ts'

/** Severity of a step's problems. */
export type Level = 'error' | 'warning'

/** Canvas node of a step. */
export type StepNode = Node<{ step: JsonObject; parts: Parts; level: Level | null }, 'step'>
/** Canvas node of a condition's destination outside of the flow. */
export type EndNode = Node<{ stepId: string; index: number; action: Action; distribution: DistributionMode }, 'end'>
type StartNode = Node<{ level: Level | null }, 'start'>

/** Node on the canvas. */
export type CanvasNode = StepNode | EndNode | StartNode

/** Handle of the outgoing edge of a step without conditions. */
export const NEW_CONDITION = 'new'

const handle = (type: 'source' | 'target', id: string | null, x: number, y: number) => {
  // As a string, so that screens without canvas do not load the library.
  const position = (type === 'target' ? 'left' : 'right') as Position
  return { id, type, position, x: x - 5, y: y - 5, width: 10, height: 10 }
}

// Given, not measured: invisible steps are never rendered, and visible ones only once.
function handlesOf(parts: Parts) {
  const { top } = heightOf(parts)
  const { width, header, condition } = SIZE.step
  const rowOf = (index: number) => top + index * condition + condition / 2
  const sources = parts.conditions.map((_, index) => handle('source', String(index), width, rowOf(index)))
  return [
    handle('target', null, 0, 1 + header / 2),
    ...(sources.length > 0 ? sources : [handle('source', NEW_CONDITION, width, rowOf(0))]),
  ]
}

const isAt = (one: CanvasNode, { x, y }: Point) => one.position.x === x && one.position.y === y
const placed = ({ id, at, width, height }: Spot) => ({ id, position: at, measured: { width, height } })

/** Returns the nodes of a document, reusing unchanged ones. */
export function nodesOf(
  document: FlowDocument,
  before: readonly CanvasNode[],
  levels: ReadonlyMap<string | null, Level>,
): CanvasNode[] {
  const known = new Map(before.map((node) => [node.id, node]))
  const reused = <N extends CanvasNode>(next: N, isSame: (old: N) => boolean): CanvasNode => {
    const old = known.get(next.id) as N | undefined
    if (!old || old.type !== next.type) return next
    const { selected, dragging = false, position } = old
    if (isSame(old) && (dragging || isAt(old, next.position))) return old
    // A dragged node keeps its position until the drop.
    return { ...next, ...(selected !== undefined && { selected }), ...(dragging && { dragging, position }) }
  }
  const { distribution } = readConfigurations(settingsIn(document))
  const steps = stepsIn(document)
  const spots = spotsIn(steps)
  const nodes = steps.flatMap((step, position) => {
    const parts = partsOf(step)
    const level = levels.get(parts.id) ?? null
    const { step: own, ends: endSpots } = itemAt(spots, position)
    const node: StepNode = {
      ...placed(own),
      type: 'step',
      data: { step, parts, level },
      handles: handlesOf(parts),
      ariaLabel: parts.name,
    }
    const ends = [...endSpots].map(([index, spot]) => {
      const { action } = itemAt(parts.conditions, index)
      const end: EndNode = {
        ...placed(spot),
        type: 'end',
        data: { stepId: parts.id, index, action, distribution },
        handles: [handle('target', null, 0, SIZE.end.height / 2)],
      }
      return reused(end, (old) => JSON.stringify(old.data) === JSON.stringify(end.data))
    })
    return [reused(node, (old) => old.data.step === step && old.data.level === level), ...ends]
  })
  const start = startIn(document)
  const { width, height } = SIZE.start
  const at = (start && pointOf(start)) ?? { x: 60, y: -40 }
  const level = levels.get(null) ?? null
  const first: StartNode = {
    ...placed({ id: textOf(start?.['id']) || 'start', at, width, height }),
    type: 'start',
    data: { level },
    handles: [handle('source', 'start', width, height / 2)],
  }
  return [reused(first, (old) => old.data.level === level), ...nodes]
}

type Placed = Pick<Node, 'position' | 'measured'>

/** Returns the bounds of all nodes, including those never rendered. */
export function boundsOf(nodes: readonly Placed[]): Point & { readonly width: number; readonly height: number } {
  const boxes = nodes.map(({ position, measured }) => ({
    ...position,
    right: position.x + (measured?.width ?? 0),
    bottom: position.y + (measured?.height ?? 0),
  }))
  const x = Math.min(...boxes.map((box) => box.x))
  const y = Math.min(...boxes.map((box) => box.y))
  return {
    x,
    y,
    width: Math.max(...boxes.map(({ right }) => right)) - x,
    height: Math.max(...boxes.map(({ bottom }) => bottom)) - y,
  }
}

/** Returns the edges of a document. */
export function edgesOf(document: FlowDocument): Edge[] {
  const steps = stepsIn(document)
  const ids = new Set(steps.map((step) => partsOf(step).id))
  const start = textOf(startIn(document)?.['id']) || 'start'
  const first = edgesIn(document).find(({ from }) => textOf(from) === start || textOf(from) === 'start')
  const to = textOf(first?.['to'])
  const begin = ids.has(to) ? [{ id: 'start', type: 'start', source: start, sourceHandle: 'start', target: to }] : []
  return [
    ...begin,
    ...steps.flatMap((step) => {
      const { id, conditions } = partsOf(step)
      return conditions.flatMap(({ action }, index) => {
        const target = action.to === 'node' ? action.nodeId : endId(id, index)
        if (action.to === 'node' && !ids.has(target)) return []
        return [{ id: `${id}>${index}`, source: id, sourceHandle: String(index), target }]
      })
    }),
  ]
}
