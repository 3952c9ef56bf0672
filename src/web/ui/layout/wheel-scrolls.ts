const rows = new WeakSet<Element>()

/** Scrolls rows that are wider than their container (`data-pushed`) by the wheel, once the pointer is over them. */
export function watchWheel(): void {
  addEventListener(
    'pointerover',
    ({ target }) => {
      const row = target instanceof Element ? target.closest('[data-pushed]') : null
      if (!row || rows.has(row)) return
      rows.add(row)
      row.addEventListener('wheel', push, { passive: false })
    },
    { passive: true },
  )
}

function push(event: Event): void {
  const { currentTarget: row, deltaX, deltaY } = event as WheelEvent
  if (!(row instanceof Element) || row.scrollWidth <= row.clientWidth || Math.abs(deltaX) > Math.abs(deltaY)) return
  event.preventDefault()
  row.scrollLeft += deltaY
}
