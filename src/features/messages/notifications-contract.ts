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
  /** Text of the note with the mention, else of the ticket's last message. */
  text: z.string(),
  at: epochMs,
  /** Time of the first unread mention or reply, where the conversation opens (epoch ms); null opens its end. */
  timestamp: epochMs.nullable(),
  isRead: z.boolean(),
  /** The notification reports a scheduled message that missed its time; `text` is the message's text. */
  isLate: z.boolean(),
  /** The notification reports a nightly flow replay that differed from the original conversation; `text` is the note. */
  isReplay: z.boolean(),
  /** News in a ticket that the person follows: a customer's message, or its new status. */
  followed: z.enum(['message', 'open', 'pending', 'closed']).nullable(),
})

/** Notifications of one ticket as the browser gets them. */
export type NotificationRow = z.output<typeof notificationRow>

/** Row of a note that mentions the caller. */
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
  /** Time of the note in its conversation. */
  timestamp: epochMs,
  isSeen: z.boolean(),
})

/** Mention as the browser gets it. */
export type MentionRow = z.output<typeof mentionRow>

/** API contract of the caller's notifications and mentions. */
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
