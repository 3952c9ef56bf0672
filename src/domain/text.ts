import { itemAt } from './present.ts'

/** Makes a text storable in PostgreSQL: removes NUL characters, replaces lone surrogates by U+FFFD. */
export const cleanText = (text: string): string => text.toWellFormed().replaceAll('\0', '')

/** Cuts a text to a maximum length, without leaving half of a surrogate pair at the end. */
export const cutText = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')

/** Removes trailing characters that match a pattern, in linear time; `/[…]+$/` would take quadratic time. */
export function withoutEnd(text: string, character: RegExp): string {
  let end = text.length
  while (end > 0 && character.test(itemAt(text, end - 1))) end -= 1
  return text.slice(0, end)
}

/** Removes characters that match a pattern from both ends, in linear time. */
export function withoutEnds(text: string, character: RegExp): string {
  const whole = withoutEnd(text, character)
  let start = 0
  while (start < whole.length && character.test(itemAt(whole, start))) start += 1
  return whole.slice(start)
}

/** Parses the two numbers of a text such as `5:7`; NaN for invalid parts. */
export function numberPair(text: string, sign = ':'): [number, number] {
  const [one, other] = text.split(sign)
  return [Number(one), Number(other)]
}
