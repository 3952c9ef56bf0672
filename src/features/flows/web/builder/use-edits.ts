import type { Edge } from '@xyflow/react'
import { useMemo } from 'react'
import { documentOf, type FlowDocument } from '#domain/flow/document.ts'
import {
  addStep,
  changeItems,
  connect,
  moveNodes,
  newStep,
  type Point,
  pasteSteps,
  pointOf,
  removeSteps,
  spotOf,
  stepsIn,
} from '#domain/flow/edit.ts'
import type { JsonObject } from '#domain/flow/json.ts'
import { uuid } from '#web/api.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import type { Drawing } from './arrange.ts'
import type { Draft } from './draft.ts'
import { type CanvasNode, edgesOf, NEW_CONDITION, nodesOf } from './graph.ts'
import { newInteraction } from './interaction-forms.ts'

/** Source of an edge: the start, a condition of a step, or a new condition. */
export type From = { readonly id: string; readonly index: number | typeof NEW_CONDITION | null }

const newId = () => uuid().slice(0, 8)

/** Creates a condition that accepts any answer. */
export const anyAnswer = (rest: JsonObject = {}): JsonObject => ({
  id: newId(),
  type: 'US',
  condition: [],
  action: 0,
  nextStepId: '',
  ...rest,
})

/** Creates a condition that matches an option, pressed or typed. */
export const optionAnswer = (option: string): JsonObject =>
  anyAnswer({ type: 'R', comparisonType: 'equals', condition: [option] })

const led = (document: FlowDocument, { id, index }: From, to: string): FlowDocument =>
  index === NEW_CONDITION
    ? changeItems(document, id, 'conditions', (all) => [...all, anyAnswer({ nextStepId: to })])
    : connect(document, { id, index }, to)

/** Returns the edits of a flow's steps; new or pasted steps are selected. */
export function useEdits(draft: Draft, onSelect: (ids: ReadonlySet<string>, isWanted?: boolean) => void) {
  return useMemo(() => {
    const now = () => draft.state.get().document
    const add = ({ at, from, types = [] }: { at?: Point; from?: From; types?: readonly string[] }) => {
      const id = newId()
      const steps = stepsIn(now())
      const last = steps.at(-1)
      const below = last ? { x: (pointOf(last) ?? spotOf(steps.length - 1)).x, y: bottomOf(steps) } : spotOf(0)
      const name = nextName(steps)
      const step = newStep(
        id,
        name,
        free(at ?? below, steps),
        types.map((type) => newInteraction(type, newId())),
      )
      draft.edit((document) => {
        const next = addStep(document, step)
        return from ? led(next, from, id) : next
      })
      onSelect(new Set([id]), at === undefined)
    }
    const paste = (text: string, middle: Point | null): boolean => {
      const found = documentOf(text)
      if (typeof found === 'string') return false
      const copied = stepsIn(found)
      if (copied.length === 0) return false
      const here = new Set(stepsIn(now()).map(({ id }) => id))
      const points = copied.map((step, index) => pointOf(step) ?? spotOf(index))
      const corner = { x: Math.min(...points.map(({ x }) => x)), y: Math.min(...points.map(({ y }) => y)) }
      const isFromHere = copied.some(({ id }) => here.has(id))
      const by = isFromHere || !middle ? { x: 40, y: 40 } : { x: middle.x - corner.x, y: middle.y - corner.y }
      const result = pasteSteps(now(), copied, by, newId)
      const isTooLarge = documentOf(result.document)
      if (typeof isTooLarge === 'string') {
        notify({ tone: 'warn', title: isTooLarge })
        return true
      }
      draft.edit(() => result.document)
      onSelect(new Set(result.ids), false)
      return true
    }
    const removeIds = (ids: ReadonlySet<string>) => {
      draft.edit((document) => removeSteps(document, ids))
      onSelect(new Set())
    }
    const copyText = (ids: ReadonlySet<string>): string | null => {
      const steps = stepsIn(now()).filter(({ id }) => ids.has(String(id)))
      return steps.length === 0 ? null : JSON.stringify({ nodeList: steps, lineList: [] })
    }
    return {
      add,
      paste,
      removeIds,
      copyText,
      duplicate: (id: string) => void paste(copyText(new Set([id])) ?? '', null),
      /** Connects a source to a step. */
      lead: (from: From, to: string) => draft.edit((document) => led(document, from, to)),
      /** Removes steps, or the edges between them. */
      remove: (nodes: readonly CanvasNode[], edges: readonly Edge[]) => {
        const steps = nodes.filter(({ type }) => type === 'step').map(({ id }) => id)
        if (steps.length > 0) return removeIds(new Set(steps))
        const ends = nodes.flatMap((node) =>
          node.type === 'end' ? [{ id: node.data.stepId, index: node.data.index }] : [],
        )
        const cut = edges.map(({ source, sourceHandle }) => ({
          id: source,
          index: sourceHandle === 'start' ? null : Number(sourceHandle),
        }))
        draft.edit((document) => [...ends, ...cut].reduce((all, from) => connect(all, from, null), document))
      },
      /** Arranges all nodes along the edges, in a worker. */
      arrange: async () => {
        const document = now()
        const nodes = nodesOf(document, [], new Map())
        const points = await arranged({
          boxes: nodes.map(({ id, measured }) => ({ id, width: 0, height: 0, ...measured })),
          edges: edgesOf(document).map(({ source, target }) => ({ from: source, to: target })),
        })
        draft.edit((current) => moveNodes(current, new Map(points)))
      },
    }
  }, [draft, onSelect])
}

/** Edits of a flow's steps. */
export type Edits = ReturnType<typeof useEdits>

function arranged(drawing: Drawing): Promise<[string, Point][]> {
  const worker = new Worker(new URL('./arrange-worker.ts', import.meta.url), { type: 'module' })
  return new Promise<[string, Point][]>((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data)
    worker.onerror = () => reject(new Error('arrange'))
    worker.postMessage(drawing)
  })
    .catch(() => {
      notify({ tone: 'neg', title: t('Não foi possível organizar as etapas.') })
      return []
    })
    .finally(() => worker.terminate())
}

const bottomOf = (steps: readonly JsonObject[]) =>
  Math.max(...steps.map((step, index) => (pointOf(step) ?? spotOf(index)).y)) + 220

/** Returns a position at which no step is placed. */
function free(at: Point, steps: readonly JsonObject[]): Point {
  const isTaken = steps.some((step) => {
    const point = pointOf(step)
    return point !== null && Math.abs(point.x - at.x) < 24 && Math.abs(point.y - at.y) < 24
  })
  return isTaken ? free({ x: at.x + 32, y: at.y + 32 }, steps) : at
}

function nextName(steps: readonly JsonObject[]): string {
  const names = new Set(steps.map(({ name }) => name))
  let number = steps.length + 1
  while (names.has(t('Etapa {number}', { number }))) number++
  return t('Etapa {number}', { number })
}
