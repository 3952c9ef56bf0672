import { z } from 'zod'
import { maskName, maskValue, withhold, withholdAll } from '#domain/access/restricted.ts'
import { recordOf } from '#domain/keys.ts'
import { withoutContacts } from '#domain/messages/template.ts'
import { SLA_CLOCKS, SLA_STATES } from '#domain/sla/clocks.ts'
import { SWITCH_FIELDS } from '#domain/tickets/assistants.ts'
import { TICKET_STATUSES } from '#domain/tickets/facts.ts'
import { events } from '#kit/events.ts'
import { epochMs, isoTime, onOff } from '#kit/fields.ts'
import { hidden } from '#kit/hidden.ts'
import { channelCapabilities } from './capability-fields.ts'
import * as at from './event-addresses.ts'

const status = z.enum(TICKET_STATUSES)
const intOrNull = z.number().int().nullable()
const timeOrNull = epochMs.nullable()

const assistantFields = recordOf(SWITCH_FIELDS, () => onOff)

/** Schema of a ticket's next due clock: state, start and due time, and whether it is at risk or missed. */
export const ticketSla = z.object({
  state: z.enum(SLA_STATES),
  clock: z.enum(SLA_CLOCKS),
  since: epochMs,
  dueAt: epochMs,
})

/** Schema of the delta of a ticket that each message changes; small, because every event contains it. */
export const ticketDelta = z.object({
  id: z.number().int(),
  status,
  userId: intOrNull,
  queueId: intOrNull,
  isGroup: z.boolean(),
  unreadMessages: z.number().int(),
  answered: z.boolean(),
  lastMessage: z.string(),
  lastMessageAt: epochMs,
  lastMessageFromMe: z.boolean(),
  lastMessageStatus: z.string(),
  /** Author within a group; null for every other message. */
  lastMessageSender: hidden(z.string().nullable(), (name) => name && maskName(name)),
  /** Time since when the customer waits for a person; null if the last message is ours. */
  waitingSince: timeOrNull,
  /** Null if no time is promised, or no clock runs. */
  sla: ticketSla.nullable(),
  lastMessageReceived: timeOrNull,
  /** Time until which one may write freely; 0 if the contact never wrote, null for channels without a window. */
  windowUntil: timeOrNull,
  updatedAt: isoTime,
  /** Time until which it is hidden from the tabs. */
  snoozedUntil: timeOrNull,
})

/** Schema of a reading position: place of the last seen message. */
export const readingPosition = z.object({ timestamp: epochMs, seq: z.number().int() })

/** Row of the attendance list (specification §3, product facts appendix D). */
export const ticketRow = ticketDelta.extend({
  whatsappId: z.number().int(),
  connectionName: z.string(),
  contactId: z.number().int(),
  contact: z.object({
    id: z.number().int(),
    name: hidden(z.string(), maskName),
    number: hidden(z.string().nullable(), maskValue),
    profilePicUrl: hidden(z.string().nullable(), withhold),
    wallets: z.array(z.object({ id: z.number().int(), name: z.string() })),
  }),
  kanban: intOrNull,
  tags: z.array(z.object({ id: z.number().int(), tag: z.string(), color: z.string() })),
  chatFlowId: intOrNull,
  username: z.string().nullable(),
  queue: z.string().nullable(),
  name: hidden(z.string(), maskName),
  profilePicUrl: hidden(z.string().nullable(), withhold),
  channel: z.string(),
  createdAt: isoTime,
  closedAt: timeOrNull,
  /** Text that this viewer began to write, for the list's draft mark. */
  draft: z.string().nullable(),
  isPaused: z.boolean(),
  pausedAt: timeOrNull,
  /** Whether an assistant attends it: one is on, and did not fail last. */
  isAssisted: z.boolean(),
  ...assistantFields,
})

/** Ticket row as the browser gets it. */
export type TicketRow = z.output<typeof ticketRow>
/** Changes of a ticket by a message, in the form for browsers. */
export type TicketDelta = z.output<typeof ticketDelta>

/** Pinned message, with the data shown on one line. */
export const pinnedMessage = z.object({
  id: z.string(),
  body: z.string(),
  mediaType: z.string(),
  mediaName: z.string().nullable(),
  isNote: z.boolean(),
  /** Name of the colleague who wrote it; null: the contact. */
  userName: z.string().nullable(),
  /** Name of the colleague who pinned it. */
  by: z.string().nullable(),
  /** Its time in the conversation, in epoch ms. */
  timestamp: z.number().int(),
})

/** Schema of one ticket with the data of its screen. */
export const ticketDetail = ticketRow.extend({
  protocol: z.string(),
  startedAttendanceAt: timeOrNull,
  isActiveDemand: z.boolean(),
  value: z.string().nullable(),
  reasons: intOrNull,
  /** Latest rating by the customer, from 0 to 5. */
  rating: intOrNull,
  user: z.object({ id: z.number().int(), name: z.string() }).nullable(),
  whatsapp: z.object({ id: z.number().int(), name: z.string(), type: z.string(), status: z.string() }),
  contactDetail: z.object({
    email: hidden(z.string(), maskValue),
    cpf: hidden(z.string(), maskValue),
    businessName: hidden(z.string(), maskValue),
    createdAt: isoTime,
    extraInfo: hidden(
      z.array(z.object({ id: z.union([z.string(), z.number()]), name: z.string(), value: z.string() })),
      withholdAll,
    ),
    otherTickets: z.number().int(),
    /** Name of the kanban stage; '' if none. */
    stage: z.string(),
    /** Values of the company's own variables for this conversation. */
    variables: hidden(z.record(z.string(), z.string()), withoutContacts),
  }),
  /** Address to which an answer goes, and number of the contact's other addresses on the channel. */
  /** Address of new messages, and the time since when it blocks us (the bot was blocked, or removed from the group). */
  writesTo: z.object({
    ...{ address: hidden(z.string(), maskValue), others: z.number().int() },
    blocksUsSince: epochMs.nullable(),
  }),
  /** Scheduled messages, next first. */
  scheduledMessages: z.array(
    z.object({
      id: z.string(),
      body: z.string(),
      scheduleDate: isoTime,
      status: z.string(),
      mediaType: z.string(),
      mediaName: z.string().nullable(),
      userName: z.string().nullable(),
      cancelOnReply: z.boolean(),
      repeat: z.string().nullable(),
    }),
  ),
  capabilities: channelCapabilities,
  /** Time until which the provider charges nothing, because the contact came through an ad; null if unknown. */
  freeUntil: timeOrNull,
  totalPausedMs: z.number().int(),
  /** Current node of its chat flow, and the number of failed prompts there. */
  stepChatFlow: z.string().nullable(),
  botRetries: z.number().int(),
  isFarewellMessage: z.boolean(),
  /** Ids of the users who see a group; null for other tickets. */
  groupUserIdArray: z.array(z.number().int()).nullable(),
  /** Followers of the ticket who have access to it. */
  followers: z.array(z.object({ id: z.number().int(), name: z.string() })),
  /** Pinned messages, the last pinned first. */
  pinned: z.array(pinnedMessage),
})

/** Ticket details as the browser gets them. */
export type TicketDetail = z.output<typeof ticketDetail>

/**
 * Events of tickets. `gone` replaces an event for users who may no longer see the ticket. `rated`: the customer was
 * asked for a rating (null), or gave it. `read`: the user's own reading position, sent to that user. `notify`: calls
 * its people, at a colleague's request or after a snooze; `due`: a clock is at risk or over since `publishedAt` (epoch
 * ms). `detail`: a change that list rows do not show. `draft`: the user wrote on another device, sent to that user; it
 * begins with `draft`.
 */
export const ticketEvents = events(at.ticketEvents, {
  create: ticketRow,
  update: ticketRow,
  delta: ticketDelta,
  rated: z.object({ id: z.number().int(), evaluation: intOrNull }),
  read: readingPosition.extend({ id: z.number().int() }),
  gone: z.object({ id: z.number().int() }),
  notify: ticketRow,
  due: ticketRow.extend({ clock: z.enum(SLA_CLOCKS), isMissed: z.boolean(), publishedAt: z.number() }),
  detail: z.object({ id: z.number().int() }),
  draft: z.object({ id: z.number().int(), revision: z.number().int(), draft: z.string().nullable() }),
})

declare module '#kit/contract.ts' {
  interface Events {
    ticketEvents: typeof ticketEvents
  }
}
