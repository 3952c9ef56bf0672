import { type NodeChange, experimental_useOnNodesChangeMiddleware as useNodesChange, useStoreApi } from '@xyflow/react'
import { useCallback, useLayoutEffect, useRef } from 'react'
import type { Point } from '#domain/flow/edit.ts'
import { createStore } from '#web/store.ts'
import type { CanvasNode } from './graph.ts'

/** Dragged node, and its offset from the position that React Flow knows. */
type Dragged = { readonly id: string; readonly by: Point }

const NOWHERE: Point = { x: 0, y: 0 }
const dragged = createStore<Dragged | null>(null)

/** Returns a node's offset from the position that React Flow knows. */
export const useDraggedBy = (id: string): Point => dragged.use((one) => (one?.id === id ? one.by : NOWHERE))

const nodeIn = (canvas: HTMLElement | null, id: string) =>
  canvas?.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`) ?? null

const inPixels = ({ x, y }: Point) => [x, y].map((length) => `${length}px`).join(' ')

type Changes = NodeChange<CanvasNode>[]

/**
 * Moves a single dragged node and its edges without React Flow, which would check every node and edge for changes: React
 * Flow gets only the first move, those after a viewport change, and the drop.
 */
export function Dragging({ canvas }: { canvas: { readonly current: HTMLElement | null } }): null {
  const store = useStoreApi<CanvasNode>()
  const view = useRef<unknown>(null)
  const follow = useCallback(
    (changes: Changes): Changes => {
      const { nodeLookup, transform } = store.getState()
      const [move] = changes
      const to = changes.length === 1 && move?.type === 'position' && move.dragging ? move : undefined
      const known = to && nodeLookup.get(to.id)
      if (!to?.position || !known?.dragging || view.current !== transform) {
        view.current = transform
        dragged.set(null)
        return changes
      }
      const { x, y } = known.position
      dragged.set({ id: to.id, by: { x: to.position.x - x, y: to.position.y - y } })
      return []
    },
    [store],
  )
  useNodesChange(follow)
  const one = dragged.use()
  const element = useRef<HTMLElement | null>(null)
  // In one frame with its edges, and reset once React Flow knows the position.
  useLayoutEffect(() => {
    element.current?.style.removeProperty('translate')
    element.current = one && nodeIn(canvas.current, one.id)
    if (one) element.current?.style.setProperty('translate', inPixels(one.by))
  }, [canvas, one])
  useLayoutEffect(() => () => dragged.set(null), [])
  return null
}
