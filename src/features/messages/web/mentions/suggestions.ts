import type { ReactNode } from 'react'
import type { Mention } from '#domain/messages/mentions.ts'
import type { FastReply } from '#features/catalog/fast-replies.ts'
import type { TicketDetail } from '#features/ledger/ticket-rows.ts'

/** One thing to choose: what it is, its key, and what it would write. */
export type Suggestion = { id: string; title: ReactNode; key: string; preview: string }

/** Asks for what its text lacks here, and gives the whole text. */
export type Complete = (onFill: (text: string) => void) => void

/** Something to choose, what it writes, whom it names (a mention), and which quick reply it is. */
export type Choice = Suggestion & { answer: string; names?: Mention; reply?: FastReply; complete?: Complete }

/** Function from the letters typed behind a sign to the suggestions of a conversation. */
export type Choices = (typed: string, ticket: TicketDetail) => Choice[]

/** Suggestion request at the caret: the sign, the letters after it, and their range in the text. */
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
