import { z } from 'zod'
import { maskName, withhold } from '#domain/access/restricted.ts'
import { contract } from '#kit/contract.ts'
import { epochMs, id, pageAnswer, pageQuery, uuid } from '#kit/fields.ts'
import { hidden } from '#kit/hidden.ts'
import * as at from './notifications-addresses.ts'

const count = z.number().int()

/**
 * Notifications of one ticket for the person: mentions and transfers since they last read it, and unread replies where the
 * ticket is theirs.
 */
export const notificationRow = z.object({
  ticketId: count,
  contactId: count,
  name: hidden(z.string(), maskName),
  profilePicUrl: hidden(z.string().nullable(), withhold),
  channel: z.string(),
  mentions: count,
  transfers: count,
  answers: count,
  /** Author of the latest mention or transfer. */
  by: z.string().nullable(),
  /** The note with the mention, else the last message of the ticket. */
  text: z.string(),
  at: epochMs,
  /** The moment of the conversation at which it opens: the first mention or answer that was not read; null is its end. */
  timestamp: epochMs.nullable(),
  isRead: z.boolean(),
  /** The mention is that a scheduled message was too late to go; `text` is its own. */
  isLate: z.boolean(),
  /** The mention is that the conversation with a flow did not repeat itself as it was, at night; `text` is the note. */
  isReplay: z.boolean(),
  /** What is new in a ticket that the person follows: the customer's word, or where it stands now. */
  followed: z.enum(['message', 'open', 'pending', 'closed']).nullable(),
})

/** Notifications of one ticket as the browser gets them. */
export type NotificationRow = z.output<typeof notificationRow>

/** A note that mentions the person who asks. */
const mentionRow = z.object({
  messageId: uuid,
  ticketId: count,
  contactId: count,
  name: hidden(z.string(), maskName),
  profilePicUrl: hidden(z.string().nullable(), withhold),
  channel: z.string(),
  /** Author of the note. */
  by: z.string().nullable(),
  text: z.string(),
  /** The moment of the conversation at which it stands. */
  timestamp: epochMs,
  isSeen: z.boolean(),
})

/** A mention, as a browser reads it. */
export type MentionRow = z.output<typeof mentionRow>

/** What concerns the person who asks. */
export const notifications = contract(at.notifications, {
  list: {
    summary:
      'Menções, transferências e respostas que dizem respeito a quem pede, por atendimento; as mais novas primeiro',
    query: pageQuery,
    returns: z.object({ notifications: z.array(notificationRow), ...pageAnswer }),
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  unread: {
    summary:
      'Quantos atendimentos têm algo não visto que diz respeito a quem pede, e quantas menções, contados até 100',
    returns: z.object({
      count,
      mentions: count,
      hasMentions: z.boolean(),
      /** Tickets that the person follows, with their status. */
      followed: z.array(z.object({ id: count, status: z.enum(['open', 'pending', 'closed']) })),
    }),
  },
  read: {
    summary: 'Dar como vistas as de um atendimento, ou todas; as conversas continuam como estão',
    body: z.strictObject({ ticketId: id.optional() }),
    returns: z.object({ count }),
  },
  mentions: {
    summary: 'Notas que mencionam quem pede, ou uma equipe sua, nos atendimentos que vê; as mais novas primeiro',
    query: pageQuery.omit({ searchParam: true }),
    returns: z.object({ mentions: z.array(mentionRow), ...pageAnswer }),
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  seeMention: {
    summary: 'Dar por vista uma nota que menciona quem pede',
    params: z.object({ id: uuid }),
    returns: z.object({ isNew: z.boolean() }),
    errors: ['ERR_FETCH_WAPP_MSG', 'ERR_NO_TICKET_FOUND'],
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    notifications: typeof notifications
  }
}
