/** A rectangle of the window, in px. */
export type Box = { left: number; top: number; width: number; height: number }

const edge = 12
const step = 8

const overlap = (a: Box, b: Box): boolean =>
  a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height

/**
 * Where something of this size covers nothing that is to be pressed: as high as possible, at the right before the middle
 * before the left; where there is no such place, where it covers the least.
 */
export function freeSpot(
  size: { width: number; height: number },
  view: { width: number; height: number },
  pressable: readonly Box[],
): { left: number; top: number } {
  const lefts = [view.width - size.width - edge, (view.width - size.width) / 2, edge]
  let best = { left: lefts[0] as number, top: edge, covered: Number.POSITIVE_INFINITY }
  for (let top = edge; top <= view.height - size.height - edge; top += step) {
    for (const left of lefts) {
      const covered = pressable.filter((one) => overlap({ ...size, left, top }, one)).length
      if (covered < best.covered) best = { left, top, covered }
      if (covered === 0) return { left, top }
    }
  }
  return { left: best.left, top: best.top }
}

const selector = 'button, a[href], input, textarea, select, [role="combobox"], [role="switch"]'
/** Larger ones are rows and pictures: what is left of them can still be pressed. */
const mostArea = 30_000

/** The boxes of what can be pressed now: in sight, and under nothing else. */
export function pressableBoxes(except: Element): Box[] {
  return [...document.querySelectorAll(selector)].flatMap((one) => {
    const box = one.getBoundingClientRect()
    const inside = box.width > 0 && box.bottom > 0 && box.top < innerHeight
    if (!inside || box.width * box.height > mostArea || except.contains(one)) return []
    if (!one.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return []
    const hit = document.elementsFromPoint(box.left + box.width / 2, box.top + box.height / 2)
    const first = hit.find((other) => !except.contains(other))
    return first && (one.contains(first) || first.contains(one)) ? [box] : []
  })
}
