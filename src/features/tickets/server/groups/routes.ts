import { type Mentioned, mentioning, mentioningAll, withNames } from '#domain/messages/group-mentions.ts'
import { type MemberRow, MOST_MEMBERS, membersOf } from '#features/ledger/server/groups/index.ts'
import { findByIdFront } from '#features/ledger/server/messages/index.ts'
import { groups } from '#features/messages/groups-contract.ts'
import { type SendInput, sendWithin } from '#features/messages/server/send/index.ts'
import { requireVisible } from '#features/visibility/server/index.ts'
import { fail } from '#kit/errors.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { Actor } from '#server/actors.ts'
import type { Ctx, ReadCtx } from '#server/context.ts'
import { implement } from '#server/http/route.ts'

type Asked = { ticketId: number; body: string; idFront?: string | undefined; quotedMsgId?: string | null | undefined }

/** Route handlers of groups: members, and messages that mention them. */
export const groupRoutes = implement(groups, {
  participants: async (ctx, { body: { ticketId } }) => ({
    participants: (await membersFor(ctx, ticketId, 'groups')).map(({ id, identity, name, number, isAdmin }) => ({
      ...{ identity, userId: id, name, number, isAdmin },
    })),
  }),
  mention: async (ctx, { body: { participants, ...asked } }) => {
    const members = await membersFor(ctx, asked.ticketId, 'mentions')
    // A repeated request gets its response even if members have left since.
    const isRepeat = asked.idFront !== undefined && (await findByIdFront(ctx.db, [asked.idFront])).length > 0
    const people = isRepeat ? [] : participants.map((one) => named(members, one))
    return sendMentioning(ctx, { ...asked, body: mentioning(withNames(asked.body, people), people) }, { people })
  },
  mentionAll: async (ctx, { body }) => {
    await membersFor(ctx, body.ticketId, 'mentions')
    return sendMentioning(ctx, { ...body, body: mentioningAll(body.body) }, { everyone: 'shown' })
  },
  ghost: async (ctx, { body }) => {
    await membersFor(ctx, body.ticketId, 'mentions')
    return sendMentioning(ctx, body, { everyone: 'hidden' })
  },
})

// Returns the members of a ticket's group if its channel supports groups and the user may see it.
async function membersFor(
  ctx: Pick<ReadCtx, 'db' | 'user' | 'settings'>,
  ticketId: number,
  needed: 'groups' | 'mentions',
): Promise<MemberRow[]> {
  const { row } = await requireVisible(ctx, ticketId)
  if (!capabilitiesOf(row.channel)[needed]) fail('ERR_CHANNEL_CANNOT')
  if (!row.is_group) fail('ERR_NOT_A_GROUP')
  return membersOf(ctx.db, row.contact_id, MOST_MEMBERS)
}

function named(members: readonly MemberRow[], asked: string | number): MemberRow {
  const member = members.find(({ id, identity }) => asked === id || asked === identity)
  return member ?? fail('ERR_VALIDATION', { participants: 'Só quem está no grupo pode ser mencionado.' })
}

const sendMentioning = (
  ctx: Ctx & { user: Actor },
  { idFront = ctx.newId(), ...asked }: Asked,
  { people = [], everyone = null }: { people?: readonly Mentioned[]; everyone?: 'shown' | 'hidden' | null },
) =>
  sendWithin(ctx, {
    ...{ ...asked, idFront, isNote: false, files: [] },
    mentions: { people: people.map(({ identity, name }) => ({ identity, name })), everyone },
  } satisfies SendInput)
