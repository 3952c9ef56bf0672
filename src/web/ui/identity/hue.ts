import type { CSSProperties } from 'react'

const hues = [335, 250, 160, 70, 20, 222, 295, 125, 45, 185] as const

/** Returns the avatar hue (degrees) of a record: stable for an id. */
export function hueOf(id: string | number): number {
  let hash = 2166136261
  for (const char of String(id)) hash = Math.imul(hash ^ char.charCodeAt(0), 16777619)
  return hues[(hash >>> 0) % hues.length] as number
}

/** Returns fill and text colour of a hue; the mode fixes lightness and chroma, so every hue stays readable. */
export const hueStyle = (hue: number): CSSProperties => ({
  background: `oklch(var(--g-hue-fill-l) var(--g-hue-fill-c) ${hue})`,
  color: `oklch(var(--g-hue-text-l) var(--g-hue-text-c) ${hue})`,
})

/** Returns fill and text for a stored colour such as `#E2703A`; only its hue (or that it has none) is used. */
export const colorStyle = (color: string): CSSProperties => ({
  background: `oklch(from ${color} var(--g-hue-fill-l) min(c, var(--g-hue-fill-c)) h)`,
  color: `oklch(from ${color} var(--g-hue-text-l) min(c, var(--g-hue-text-c)) h)`,
})

/** Returns the colour of a small square (tag dot, stage mark) for a stored colour. */
export const squareColor = (color: string): string => `oklch(from ${color} 0.66 min(c, 0.13) h)`

/** Returns two letters for a name (first and last word, titles and particles aside); for a bare number its last two digits. */
export function initials(name: string): string {
  if (!/\p{L}/u.test(name)) return name.replace(/\D/g, '').slice(-2) || '?'
  const words = name
    .normalize('NFC')
    .split(/\s+/)
    .filter((word) => /^[\p{L}\p{N}]/u.test(word) && !/^(d[aeo]s?|e|dra?\.?|sra?\.?)$/i.test(word))
  const first = words[0]?.[0] ?? ''
  const last = words.length > 1 ? (words.at(-1)?.[0] ?? '') : (words[0]?.[1] ?? '')
  return (first + last).toUpperCase() || '?'
}
