/** How long a text may be on a channel: in characters and, where it counts them, in bytes of UTF-8. */
export type TextLimits = { readonly maxTextLength: number; readonly maxTextBytes: number | null }

/** How much of what a channel takes a text has, and how much that is: bytes where the channel counts them, else characters. */
export function textUse(text: string, limits: TextLimits): { readonly used: number; readonly most: number } {
  const { maxTextLength, maxTextBytes } = limits
  if (maxTextBytes === null || text.length > maxTextLength) return { used: text.length, most: maxTextLength }
  let used = 0
  for (const letter of text) {
    const code = letter.codePointAt(0)!
    used += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return { used, most: maxTextBytes }
}
