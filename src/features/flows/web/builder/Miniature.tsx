import { type Node, Panel, useReactFlow, useStore } from '@xyflow/react'
import { type PointerEvent, useMemo } from 'react'
import { t } from '#web/t.ts'
import css from './canvas.module.css'
import { boundsOf } from './graph.ts'

const WIDTH = 140
const HEIGHT = 92
const MARGIN = 5

/** A dragged node stays in its old place until the drop. */
const isAsDrawn = (before: readonly Node[], now: readonly Node[]) =>
  before === now || now.some(({ dragging }) => dragging)

const drawn = (nodes: readonly Node[]) =>
  nodes
    .map(
      ({ position: { x, y }, measured: { width = 0, height = 0 } = {} }) => `M${x},${y}h${width}v${height}h${-width}z`,
    )
    .join('')

/**
 * Minimap of the flow with the visible area; a click moves there. A single drawing, because React Flow would check separate
 * nodes at each pointer move.
 */
export function Miniature() {
  const nodes = useStore(({ nodes }) => nodes, isAsDrawn)
  const all = useMemo(() => drawn(nodes), [nodes])
  const lit = useMemo(() => drawn(nodes.filter(({ selected }) => selected)), [nodes])
  const whole = useMemo(() => boundsOf(nodes), [nodes])
  const [left, top, zoom] = useStore(({ transform }) => transform)
  const width = useStore((state) => state.width) / zoom
  const height = useStore((state) => state.height) / zoom
  const { setCenter } = useReactFlow()
  const [x, y] = [-left / zoom, -top / zoom]
  const shown = boundsOf([
    { position: whole, measured: whole },
    { position: { x, y }, measured: { width, height } },
  ])
  const margin = MARGIN * Math.max(shown.width / WIDTH, shown.height / HEIGHT)
  const go = ({ currentTarget, clientX, clientY, buttons }: PointerEvent<SVGSVGElement>) => {
    const screen = currentTarget.getScreenCTM()
    if (buttons !== 1 || !screen) return
    const to = new DOMPoint(clientX, clientY).matrixTransform(screen.inverse())
    void setCenter(to.x, to.y, { zoom })
  }
  return (
    <Panel position="bottom-right" className={css.map}>
      <svg
        role="img"
        aria-label={t('Miniatura do fluxo')}
        width={WIDTH}
        height={HEIGHT}
        viewBox={`${shown.x - margin} ${shown.y - margin} ${shown.width + 2 * margin} ${shown.height + 2 * margin}`}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          go(event)
        }}
        onPointerMove={go}
      >
        <path d={all} />
        <path className={css.lit} d={lit} />
        <rect className={css.sight} {...{ x, y, width, height }} />
      </svg>
    </Panel>
  )
}
