import type { Profile } from '#domain/access/profiles.ts'
import type { DemoFile } from './media.ts'

/** The login of a member of staff; unique over both tenants. */
export type StaffEmail =
  | 'superadmin@demo.test'
  | 'admin@demo.test'
  | 'supervisor@demo.test'
  | 'ana@demo.test'
  | 'bia@demo.test'
  | 'admin@outra.test'

/** Trade of the company that a demo conversation belongs to. */
export type Trade = 'moveis' | 'odonto' | 'vet' | 'provedor' | 'confeitaria' | 'oficina' | 'imobiliaria'

/** User who answers; `queues` are names of the tenant's queues. */
export type Staff = { email: StaffEmail; name: string; profile: Profile; queues: readonly string[] }

/** A queue or a tag: a name unique in its tenant and a colour `#rrggbb`. */
export type Coloured = { name: string; color: string }

/**
 * Quick reply: its shortcut after the slash, a title, a text with the variables of `domain/messages/template`, the queue in
 * whose conversations it is offered (all without `queue`), and its attachment.
 */
export type QuickReply = {
  key: string
  title: string
  message: string
  queue?: string
  files?: readonly DemoFile[]
  /** Its recordings go as voice notes. */
  voice?: boolean
}

/** Person or company that writes, with a name unique in its tenant; `phone` is E.164, or null for a webchat visitor. */
export type Contact = { name: string; phone: string | null; email?: string; city: string; company?: string }

/** File sent with a message; `name` is the displayed name of a document. */
export type Media = { file: DemoFile; caption?: string; name?: string }

/** Entry about a ticket: accepted, transferred (to a queue, a person or both), returned to pending, resolved. */
export type TicketEvent =
  | { type: 'open' | 'pending' | 'closed'; by: StaffEmail }
  | { type: 'transfered'; by: StaffEmail; queue?: string; to?: StaffEmail }

type WrittenEntry = {
  text?: string
  media?: Media
  /** Index in `messages` of the message that this one quotes. */
  quote?: number
  /** Emoji that the other side put on this message. */
  reaction?: string
}

/**
 * One entry of a conversation. `at` is in minutes from its first entry and rises. Texts may hold the date tokens of
 * `dates.ts`. A message of staff without `status` was read; notes mention staff as `@Full Name`.
 */
export type Entry = { at: number } & (
  | ({ from: 'contact' } & WrittenEntry)
  | ({ from: StaffEmail; status?: 'sent' | 'delivered' | 'read' | 'failed' } & WrittenEntry)
  | { from: 'note'; by: StaffEmail; text: string }
  | { from: 'event'; event: TicketEvent }
)

/**
 * One ticket with its messages. `ageMinutes`: how long ago its last entry happened; with `startsAt` (HH:MM, São Paulo)
 * it is at least that long ago and the first entry falls on that time of day. `unread` counts trailing messages.
 */
export type Conversation = {
  key: string
  contact: string
  trade: Trade
  connection: 'lab' | 'webchat'
  queue: string | null
  tags?: readonly string[]
  assignee: StaffEmail | null
  status: 'open' | 'pending' | 'closed'
  ageMinutes: number
  startsAt?: string
  unread?: number
  messages: readonly Entry[]
  /** Scheduled messages: sent at the next full hour after `inHours` hours. */
  scheduled?: readonly { inHours: number; by: StaffEmail; text: string; cancelOnReply?: boolean; repeat?: string }[]
}

/** Tenant with all of its demo data; `trades` gives the name of each trade's connection. */
export type DemoTenant = {
  name: string
  trades: Partial<Record<Trade, string>>
  staff: readonly Staff[]
  queues: readonly Coloured[]
  tags: readonly Coloured[]
  quickReplies: readonly QuickReply[]
  contacts: readonly Contact[]
  conversations: readonly Conversation[]
}

/** The whole demo: the password that all staff share, and the tenants. */
export type Demo = { password: string; tenants: readonly DemoTenant[] }
