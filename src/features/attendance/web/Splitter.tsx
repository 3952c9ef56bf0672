import type { KeyboardEvent, PointerEvent } from 'react'
import type { useWidth } from '#features/messages/web/registries/layout.ts'
import css from './attendance.module.css'

const step = 16

/** Splitter between two panes: drag, arrows, Home and End set the width; a double click resets it. */
export function Splitter(props: { label: string; pane: ReturnType<typeof useWidth>; side: 'left' | 'right' }) {
  const { label, pane, side } = props
  const sign = side === 'left' ? 1 : -1
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return
    event.preventDefault()
    const from = event.clientX
    const before = pane.width
    const edge = event.currentTarget
    edge.setPointerCapture(event.pointerId)
    const move = (moved: globalThis.PointerEvent) => pane.set(before + (moved.clientX - from) * sign)
    const end = () => {
      edge.removeEventListener('pointermove', move)
      edge.removeEventListener('lostpointercapture', end)
    }
    edge.addEventListener('pointermove', move)
    edge.addEventListener('lostpointercapture', end)
  }
  const keys = (event: KeyboardEvent) => {
    const next = {
      ArrowLeft: pane.width - step * sign,
      ArrowRight: pane.width + step * sign,
      Home: pane.least,
      End: pane.most,
    }[event.key]
    if (next === undefined) return
    event.preventDefault()
    pane.set(next)
  }
  return (
    <div
      className={css.splitter}
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={pane.width}
      aria-valuemin={pane.least}
      aria-valuemax={pane.most}
      onPointerDown={drag}
      onKeyDown={keys}
      onDoubleClick={pane.reset}
    />
  )
}
