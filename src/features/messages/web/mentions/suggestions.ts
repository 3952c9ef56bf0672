import type { ReactNode } from 'react'
import type { Mention } from '#domain/messages/mentions.ts'
import type { FastReply } from '#features/catalog/fast-replies.ts'
import type { TicketDetail } from '#features/ledger/ticket-rows.ts'

/** Row of the suggestion list: title, key, and a preview of the inserted text. */
export type Suggestion = { id: string; title: ReactNode; key: string; preview: string }

/** Dialog that asks for missing variables and passes on the whole text. */
export type Complete = (onFill: (text: string) => void) => void

/** Suggestion with its inserted text, the mention that it makes, or its quick reply. */
export type Choice = Suggestion & { answer: string; names?: Mention; reply?: FastReply; complete?: Complete }

/** Function from the letters typed behind a sign to the suggestions of a conversation. */
export type Choices = (typed: string, ticket: TicketDetail) => Choice[]

/** Suggestion request at the caret: the sign, the letters after it, and their range in the text. */
export type Asked = { sign: '/' | '@'; typed: string; from: number; to: number }

/** Returns the `/key` or `@name` at the caret; a sign counts only at the start or after a space, not within addresses. */
export function askedAt(text: string, caret: number): Asked | null {
  const match = /(^|\s)([/@])([\p{L}\p{N}._-]*)$/u.exec(text.slice(0, caret))
  if (!match) return null
  const typed = match[3] ?? ''
  return { sign: match[2] as Asked['sign'], typed, from: caret - typed.length - 1, to: caret }
}

/** Returns the text with the request replaced by the choice, and the new caret position. */
export function answered(text: string, { from, to }: Asked, answer: string): { text: string; caret: number } {
  return { text: text.slice(0, from) + answer + text.slice(to), caret: from + answer.length }
}
