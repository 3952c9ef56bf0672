import { firstOf } from '#domain/present.ts'
import type { Peer } from '#domain/private-chat/conversation.ts'
import { fail, required } from '#kit/errors.ts'
import { reading } from '#server/context.ts'
import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/route.ts'
import { COUNTED, countOf, pageOf, pageStartOf } from '#server/paging.ts'
import { privateChat, privateChatEvents } from '../contract.ts'
import { errors } from '../errors.ts'
import { permissions } from '../permissions.ts'
import { settings } from '../settings.ts'
import { requireConversation, requireWritable } from './conversation.ts'
import { exportConversation } from './export.ts'
import { forward } from './forward.ts'
import { listMembers } from './queries.ts'
import {
  countColleagues,
  countGroups,
  findColleague,
  type ListedRow,
  type ListKey,
  listColleagues,
  listGroups,
} from './queries-lists.ts'
import { countUnread, markAllRead, markRead, readConversation, searchMessages } from './read.ts'
import { serializeListed, serializeMessage } from './serializer.ts'
import { edit, react, remove, sendMessage } from './write.ts'

export { forgetForwarded } from './forward.ts'
export { findUnread } from './queries.ts'

const keyOf = ({ lastMs, sortName, id }: ListedRow): ListKey => [lastMs, sortName, id]
const peerOf = (id: number, isGroup: boolean | undefined): Peer => ({ id, isGroup: isGroup ?? false })

type Addressed = {
  receiverId?: number | null | undefined
  groupId?: number | null | undefined
  isGroup: boolean
}

/** Returns the peer of a message; older clients send a team's id as the receiver. */
function addressee({ receiverId, groupId, isGroup }: Addressed): Peer {
  const id = isGroup ? (groupId ?? receiverId) : receiverId
  return id == null ? fail('ERR_VALIDATION', { receiverId: 'Escolha com quem conversar.' }) : { id, isGroup }
}

const routes = implement(privateChat, {
  colleagues: async ({ db, user }, { query }) => {
    const wanted = { userId: user.id, search: query.searchParam }
    const { rows, paging } = pageOf(await listColleagues(db, wanted, pageStartOf<ListKey>(query, 3)), keyOf)
    const users = rows.map((row) => ({ ...serializeListed(row, user.id), name: row.name }))
    return { users, ...countOf(await countColleagues(db, wanted, COUNTED)), ...paging }
  },
  groups: async ({ db, user }, { params, query }) => {
    required(await findColleague(db, user.id, params.userId), 'ERR_NO_USER_FOUND')
    if (params.userId !== user.id) fail('ERR_NO_PERMISSION')
    const wanted = { userId: user.id, search: query.searchParam }
    const { rows, paging } = pageOf(await listGroups(db, wanted, pageStartOf<ListKey>(query, 3)), keyOf)
    const groups = rows.map((row) => ({
      ...serializeListed(row, user.id),
      group: row.name,
      isMember: row.isMember,
    }))
    return { groups, ...countOf(await countGroups(db, wanted, COUNTED)), ...paging }
  },
  send: async ({ platform, tenantId, user }, { body, files }) => {
    const { id, text, quotedId, durationMs } = body
    const written = { peer: addressee(body), id, text, quotedId: quotedId ?? null, files, durationMs }
    const rows = await sendMessage(platform, user, written)
    const mensagens = rows.map((row) => serializeMessage({ platform, tenantId }, row))
    return { mensagem: firstOf(mensagens), mensagens }
  },
  forward: async (ctx, { body }) => {
    const { id, messages, ticketId } = body
    const rows = await forward(ctx, { id, to: addressee(body), messages, ticketId: ticketId ?? null })
    return { mensagens: rows.map((row) => serializeMessage(ctx, row)) }
  },
  list: (ctx, { params, query }) => readConversation(ctx, peerOf(params.contactId, query.isGroup), query.cursor),
  export: (ctx, { params, query }) => exportConversation(ctx, peerOf(params.contactId, query.isGroup)),
  read: async (ctx, { params, body }) => {
    await markRead(ctx, peerOf(params.contactId, body.isGroup), body.upTo)
    return { message: 'ok' }
  },
  typing: async ({ platform, tenantId, user }, { params, body: { isGroup, state } }) => {
    const peer = peerOf(params.contactId, isGroup)
    const ids = await reading(platform, { tenantId, user }, async ({ db }) => {
      requireWritable(await requireConversation(db, user.id, peer))
      return isGroup ? (await listMembers(db, peer.id)).map(({ id }) => id) : [peer.id]
    })
    const { channel, type } = privateChatEvents.typing
    platform.bus.publish(tenantId, {
      ...{ channel, type },
      payload: { userId: user.id, name: user.name, groupId: isGroup ? peer.id : null, state },
      audience: { kind: 'users', ids: ids.filter((id) => id !== user.id), isPersonal: true },
    })
    return { message: 'ok' }
  },
  edit: (ctx, { params, body }) => edit(ctx, params.id, body.text),
  remove: (ctx, { params }) => remove(ctx, params.id),
  react: (ctx, { params, body }) => react(ctx, params.id, body.emoji),
  unreact: (ctx, { params }) => react(ctx, params.id, null),
  unread: async (ctx) => ({ count: (await countUnread(ctx)).ofColleagues }),
  unreadOfGroups: async (ctx) => ({ count: { count: (await countUnread(ctx)).ofGroups } }),
  readAll: async (ctx) => {
    await markAllRead(ctx)
    return { message: 'ok' }
  },
  search: (ctx, { query }) => {
    const peer = query.contactId ? peerOf(query.contactId, query.isGroup) : null
    return searchMessages(ctx, peer, query.searchParam, query.cursor)
  },
})

/** Server part of the feature `private-chat`: the private chat of colleagues. */
export const privateChatFeature: Feature = {
  name: 'private-chat',
  titles: { privateChat: 'Chat privado' },
  permissions,
  errors,
  settings,
  routes,
}
