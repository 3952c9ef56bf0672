import { offsetMinutes } from '#domain/calendar/local-time.ts'
import { protocolOf } from '#domain/tickets/protocol.ts'
import { type LoadedTicket, loadedTicket } from '#features/ledger/server/rows/index.ts'
import { whoSees } from '#features/visibility/server/index.ts'
import type { Returned } from '#kit/contract.ts'
import { required } from '#kit/errors.ts'
import { capabilitiesOf, maxFileBytes } from '#providers/channels/configs.ts'
import type { Actor } from '#server/actors.ts'
import type { ReadCtx } from '#server/context.ts'
import { transcoderOf } from '#server/media/ffmpeg.ts'
import type { tickets } from '../../contract.ts'
import { type DetailedTicket, findDetail, lastAdOf } from './queries-detail.ts'

const HOUR_MS = 3_600_000

/** Detail of a ticket, for its screen. */
export type Detail = Returned<typeof tickets.get>

type UserCtx = Omit<ReadCtx, 'db'> & { db: Parameters<typeof findDetail>[0]; user: Actor }

/** Returns an existing ticket's detail for its screen and for events; the caller has checked visibility. */
export async function loadDetail(ctx: UserCtx, ticketId: number): Promise<{ detail: Detail; loaded: LoadedTicket }> {
  const ticket = required(await findDetail(ctx.db, ticketId, ctx.user.id), 'ERR_NO_TICKET_FOUND')
  const loaded = loadedTicket(ctx.platform, ticket)
  const following = await whoSees(ctx, loaded.facts, ticket.follower_ids)
  const followers = following.map(({ id, name }) => ({ id, name }))
  const freeUntil = await freeUntilOf(ctx, ticket)
  return { detail: { ...loaded.row, ...more(ctx, ticket), followers, freeUntil }, loaded }
}

async function freeUntilOf({ db, now }: UserCtx, ticket: DetailedTicket): Promise<number | null> {
  const { freeHoursAfterAd: hours } = capabilitiesOf(ticket.channel)
  if (hours === null) return null
  const conversation = { connectionId: ticket.connection_id, conversationKey: ticket.address }
  const came = await lastAdOf(db, conversation, new Date(now.getTime() - hours * HOUR_MS))
  return came && came.getTime() + hours * HOUR_MS
}

function more(
  { platform, settings }: UserCtx,
  ticket: DetailedTicket,
): Omit<Detail, keyof LoadedTicket['row'] | 'followers' | 'freeUntil'> {
  const createdAt = ticket.created_at.getTime()
  // A group or a mail thread is not an address of the contact.
  const isOfMany = ticket.is_group || capabilitiesOf(ticket.channel).threads
  return {
    protocol: protocolOf(ticket.id, createdAt, offsetMinutes(settings.timezone, createdAt)),
    startedAttendanceAt: ticket.started_attendance_at,
    isActiveDemand: ticket.is_active_demand,
    value: ticket.value,
    reasons: ticket.reason_id,
    rating: ticket.rating,
    user: ticket.user_id === null ? null : { id: ticket.user_id, name: ticket.user_name ?? '' },
    whatsapp: {
      id: ticket.connection_id,
      name: ticket.connection_name,
      type: ticket.connection_type,
      status: ticket.connection_status,
    },
    contactDetail: {
      email: ticket.contact_email,
      cpf: ticket.contact_cpf,
      businessName: ticket.contact_business_name,
      createdAt: ticket.contact_created_at,
      extraInfo: ticket.contact_extra_info,
      otherTickets: ticket.other_tickets,
      stage: ticket.stage_name ?? '',
      variables: ticket.own,
    },
    writesTo: {
      ...{ address: ticket.address, others: isOfMany ? 0 : ticket.other_addresses },
      blocksUsSince: ticket.blocks_us_since?.getTime() ?? null,
    },
    scheduledMessages: ticket.scheduled,
    capabilities: {
      ...shownCapabilities(ticket.channel),
      transcodes: transcoderOf(platform.env) !== null,
      chatbot: ticket.has_flows && !ticket.is_group,
      phoneCalls: ticket.has_voice && !ticket.is_group && ticket.contact_number !== null,
    },
    totalPausedMs: ticket.total_paused_ms,
    stepChatFlow: ticket.chat_flow_node,
    botRetries: ticket.bot_retries,
    isFarewellMessage: ticket.is_farewell_message,
    groupUserIdArray: ticket.is_group ? ticket.group_user_ids : null,
    pinned: ticket.pinned,
  }
}

function shownCapabilities(channel: string): Omit<Detail['capabilities'], 'chatbot' | 'phoneCalls' | 'transcodes'> {
  const capabilities = capabilitiesOf(channel)
  const { quote, presence, maxTextLength, maxTextBytes, windowHours, files } = capabilities
  const { react, forward, contact, location, editMinutes, revokeHours, buttons, groups, mentions, history } =
    capabilities
  const { poll, viewOnce, templates, humanAgentDays, commentDays, smsParts } = capabilities
  const { list, link, form, locationRequest, threads } = capabilities
  const most = maxFileBytes(capabilities)
  return {
    ...{ media: most > 0, quote, presence, maxTextLength, maxTextBytes, maxFileBytes: most, files, windowHours },
    ...{ react, forward, contact, location, editMinutes, revokeHours, buttons, groups, mentions, history },
    ...{ poll, viewOnce, templates, humanAgentDays, commentDays, smsParts },
    ...{ list, link, form, locationRequest, threads },
  }
}
