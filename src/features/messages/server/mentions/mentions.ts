import type { Mention, NoteMentions } from '#domain/messages/mentions.ts'
import type { TicketFacts } from '#domain/tickets/facts.ts'
import { notificationEvents } from '#features/ledger/notification-events.ts'
import {
  findColleagues,
  findTeams,
  listMentions,
  type MentionRecord,
  replaceMentions,
  saveMentions,
  seeMention,
  type TeamRecord,
  withdrawNotifications,
} from '#features/ledger/server/mentions/index.ts'
import { notify, publishTo } from '#features/ledger/server/notices/index.ts'
import { requireVisible, visibleSql, whoSees } from '#features/visibility/server/index.ts'
import type { Input, Returned } from '#kit/contract.ts'
import { fail, required } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import type { Ctx, ReadCtx } from '#server/context.ts'
import { fileUrl } from '#server/files/store.ts'
import { exactPageStartOf, pageOf } from '#server/paging.ts'
import type { messages } from '../../contract.ts'
import type { notifications } from '../../notifications-contract.ts'

type UserCtx = Ctx & { user: Actor }
type Db = Pick<ReadCtx, 'db' | 'tenantId' | 'settings'>

/** Requested mentions of a note. */
export type Wanted = { readonly userIds: readonly number[]; readonly teamIds: readonly number[] }

/** Maximum number of people and teams returned without a search; a part of the name finds the others. */
const OFFERED = 500

/** Returns whom a note may mention: colleagues who see the ticket, and teams with such a member. */
export async function listMentionable(
  ctx: ReadCtx & { user: Actor },
  ticketId: number,
  { searchParam = '' }: Input<typeof messages.mentionable>['query'],
): Promise<Returned<typeof messages.mentionable>> {
  const { facts } = await requireVisible(ctx, ticketId)
  const text = searchParam.trim()
  const colleagues = await findColleagues(ctx.db, text, OFFERED)
  const teams = await findTeams(ctx.db, { text, limit: OFFERED })
  const seeing = await whoSees(ctx, facts, [...new Set([...colleagues, ...teams.flatMap((team) => team.member_ids)])])
  const others = new Set(seeing.map(({ id }) => id).filter((id) => id !== ctx.user.id))
  const found = new Set(colleagues)
  return {
    users: seeing.filter(({ id }) => others.has(id) && found.has(id)).map(({ id, name }) => ({ id, name })),
    teams: teams.flatMap(({ id, name, member_ids }) => {
      const members = member_ids.filter((member) => others.has(member)).length
      return members > 0 ? [{ id, name, members }] : []
    }),
    isCapped: colleagues.length === OFFERED || teams.length === OFFERED,
  }
}

/**
 * Returns the mentions to store; null: none. 422 ERR_MENTION_HIDDEN for users who are missing or do not see the ticket,
 * and for teams without another member who does.
 */
export async function requireMentions(
  ctx: Db & { user: Actor },
  facts: TicketFacts,
  { userIds, teamIds }: Wanted,
): Promise<NoteMentions | null> {
  if (userIds.length + teamIds.length === 0) return null
  const teams = teamIds.length > 0 ? await findTeams(ctx.db, { ids: teamIds, limit: teamIds.length }) : []
  const seeing = await whoSees(ctx, facts, [...userIds, ...teams.flatMap((team) => team.member_ids)])
  const byId = new Map(seeing.map((one) => [one.id, one]))
  const others = (ids: readonly number[]) => ids.filter((id) => byId.has(id) && id !== ctx.user.id)
  const asUser = (id: number): Mention => ({ kind: 'user', id, name: (byId.get(id) ?? hidden()).name })
  const asTeam = ({ id, name, member_ids }: TeamRecord): Mention =>
    others(member_ids).length > 0 ? { kind: 'team', id, name } : hidden()
  if (teams.length !== new Set(teamIds).size) hidden()
  const named = [...[...new Set(userIds)].map(asUser), ...teams.map(asTeam)]
  const notified = new Set([...others(userIds), ...teams.flatMap((team) => others(team.member_ids))])
  return { named, userIds: [...notified].sort((a, b) => a - b) }
}

const hidden = (): never => fail('ERR_MENTION_HIDDEN')

type Note = { readonly id: string; readonly ticketId: number }

/** Notifies the users mentioned in a new note. */
export async function notifyMentioned(ctx: UserCtx, note: Note, mentions: NoteMentions | null): Promise<void> {
  if (mentions) await change(ctx, note, mentions.userIds)
}

/** Updates the mentions of a changed note: notifies new users and withdraws others. */
export async function changeMentions(ctx: UserCtx, note: Note, mentions: NoteMentions | null): Promise<void> {
  await saveMentions(ctx.db, note.id, mentions)
  await change(ctx, note, mentions?.userIds ?? [])
}

/** Withdraws the mentions of a deleted note. */
export const withdrawMentions = (ctx: UserCtx, note: Note): Promise<void> => change(ctx, note, [])

async function change(ctx: UserCtx, { id, ticketId }: Note, userIds: readonly number[]): Promise<void> {
  const { added, removed } = await replaceMentions(ctx.db, id, userIds)
  await notify(
    ctx,
    added.map((userId) => ({ userId, ticketId, byUserId: ctx.user.id })),
    { messageId: id, mentions: 1, transfers: 0 },
  )
  if (removed.length === 0) return
  await withdrawNotifications(ctx.db, id, { ticketId, userIds: removed })
  publishTo(
    ctx,
    removed.map((userId) => ({ userId, ticketId })),
  )
}

/** Returns the caller's mentions in tickets that they may see. */
export async function listOwnMentions(
  ctx: ReadCtx & { user: Actor },
  query: Input<typeof notifications.mentions>['query'],
): Promise<Returned<typeof notifications.mentions>> {
  const own = { userId: ctx.user.id, visible: visibleSql(ctx.user, ctx.settings) }
  const found = await listMentions(ctx.db, own, exactPageStartOf<[number, number]>(query, 2))
  const { rows, paging } = pageOf(found, (row) => [row.position, row.message_seq])
  return {
    mentions: rows.map((row) => serialize(ctx, row)),
    count: rows.length,
    countIsCapped: paging.hasMore,
    ...paging,
  }
}

const serialize = ({ platform, tenantId }: ReadCtx, row: MentionRecord) => ({
  messageId: row.message_id,
  ticketId: row.ticket_id,
  contactId: row.contact_id,
  name: row.contact_name,
  profilePicUrl: row.profile_pic_file && fileUrl(platform, tenantId, row.profile_pic_file, 'foto'),
  channel: row.channel,
  by: row.by_name,
  text: row.text,
  timestamp: row.at,
  isSeen: row.is_seen,
})

/** Marks a note's mention of the caller as seen. */
export async function markMentionSeen(ctx: UserCtx, messageId: string): Promise<{ isNew: boolean }> {
  const found = await seeMention(ctx.db, { userId: ctx.user.id, messageId, now: ctx.now })
  const { ticketId, isNew } = required(found, 'ERR_FETCH_WAPP_MSG')
  await requireVisible(ctx, ticketId)
  if (isNew) ctx.emit(notificationEvents.changed, { ticketId }, { kind: 'users', ids: [ctx.user.id] })
  return { isNew }
}
