import { useRef } from 'preact/hooks'

const FAR_ENOUGH = 48
const FARTHEST = 64

/** Swipe of an element to the right; beyond a thumb's width it calls `done`. Scrolling is not affected. */
export function useSwipe(done: () => void) {
  const start = useRef<{ x: number; y: number; far: number } | null>(null)
  const end = ({ currentTarget }: PointerEvent) => {
    if (start.current && start.current.far >= FAR_ENOUGH) done()
    start.current = null
    ;(currentTarget as HTMLElement).style.transform = ''
  }
  return {
    onPointerDown: ({ pointerType, clientX, clientY }: PointerEvent) => {
      start.current = pointerType === 'touch' ? { x: clientX, y: clientY, far: 0 } : null
    },
    onPointerMove: ({ currentTarget, clientX, clientY }: PointerEvent) => {
      const from = start.current
      if (!from) return
      if (Math.abs(clientY - from.y) > Math.max(12, clientX - from.x)) {
        start.current = null
        from.far = 0
      } else from.far = Math.min(FARTHEST, Math.max(0, clientX - from.x))
      ;(currentTarget as HTMLElement).style.transform = from.far > 8 ? `translateX(${from.far}px)` : ''
    },
    onPointerUp: end,
    onPointerCancel: (event: PointerEvent) => {
      start.current = null
      end(event)
    },
  }
}
