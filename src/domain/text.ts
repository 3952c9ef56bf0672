import { itemAt } from './present.ts'

/** A text that PostgreSQL can store: NUL characters go, halves of surrogate pairs become U+FFFD. */
export const cleanText = (text: string): string => text.toWellFormed().replaceAll('\0', '')

/** The first characters of a text, so many at most; no half of one is left at the end. */
export const cutText = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')

/**
 * A text without the characters at its end that a pattern matches, one by one: what `/[…]+$/` finds too, which begins anew at
 * each of them and takes time by the square of the text.
 */
export function withoutEnd(text: string, character: RegExp): string {
  let end = text.length
  while (end > 0 && character.test(itemAt(text, end - 1))) end -= 1
  return text.slice(0, end)
}

/** The same at its beginning as well. */
export function withoutEnds(text: string, character: RegExp): string {
  const whole = withoutEnd(text, character)
  let start = 0
  while (start < whole.length && character.test(itemAt(whole, start))) start += 1
  return whole.slice(start)
}

/** Returns the two numbers of a text such as `5:7`; NaN for what is not a number. */
export function numberPair(text: string, sign = ':'): [number, number] {
  const [one, other] = text.split(sign)
  return [Number(one), Number(other)]
}
