type Size = { readonly width: number | null; readonly height: number | null }

const widest = 300
const tallest = 340

/** Returns the display size of a picture or video before it loads, so that the layout does not shift. */
export function mediaBox({ width, height }: Size): { width: number; height: number } {
  if (!width || !height) return { width: 280, height: 210 }
  const scale = Math.min(widest / width, tallest / height, 1)
  return { width: Math.max(120, Math.round(width * scale)), height: Math.max(60, Math.round(height * scale)) }
}
