import type { ReactNode } from 'react'
import { folded } from '#web/fold.ts'

/** What is offered, and what it writes. */
export type Choice = { id: string; title: ReactNode; key: string; preview: string; answer: string }

/** Finds what was typed among something that was read. */
export type Find = (typed: string) => readonly Choice[]

/** What is being asked for at the caret: the sign, the letters after it, and where they stand in the text. */
export type Asked = { sign: '/' | '@'; typed: string; from: number; to: number }

/** The `/key` or `@name` that the caret stands in; a sign counts at the start or after a space, so addresses do not ask. */
export function askedAt(text: string, caret: number): Asked | null {
  const match = /(^|\s)([/@])([\p{L}\p{N}._-]*)$/u.exec(text.slice(0, caret))
  if (!match) return null
  const typed = match[3] ?? ''
  return { sign: match[2] as Asked['sign'], typed, from: caret - typed.length - 1, to: caret }
}

/** The text with what was asked for replaced, and where the caret goes. */
export function answered(text: string, { from, to }: Asked, answer: string): { text: string; caret: number } {
  return { text: text.slice(0, from) + answer + text.slice(to), caret: from + answer.length }
}

/** Those whose key begins with what was typed, then those that contain it in key or text; accents and case aside. */
export function matching<T>(
  all: readonly T[],
  typed: string,
  keyOf: (one: T) => string,
  textOf: (one: T) => string,
): T[] {
  const wanted = folded(typed)
  if (!wanted) return [...all]
  const begins = all.filter((one) => folded(keyOf(one)).startsWith(wanted))
  const contains = all.filter((one) => !begins.includes(one) && folded(`${keyOf(one)} ${textOf(one)}`).includes(wanted))
  return [...begins, ...contains]
}
