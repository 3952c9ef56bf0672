/** Invisible characters: default-ignorable ones, control characters, and the Braille blank. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Zl}\p{Zp}\u2800]/gu
/** Characters that change the text direction. */
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/**
 * Normalizes a person's name from a channel: trimmed, without characters that change the text direction; empty without a
 * letter, digit, symbol or emoji.
 */
export function visibleName(name: string): string {
  const seen = name.replace(INVISIBLE, '').trim()
  return /[\p{L}\p{N}\p{S}]/u.test(seen) ? name.replace(TURNING, '').trim() : ''
}
