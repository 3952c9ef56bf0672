import { parseJson, readOutside } from '#kit/outside.ts'
import { callMessage } from '../call-message.ts'
import { notShown, textIn } from '../found-text.ts'
import { refusalOf } from '../meta-errors.ts'
import { templateNewsOf } from '../meta-templates.ts'
import type { AccountEvent, GroupMember, GroupUpdate, NumberNews, ProviderEvent, TemplateNews } from '../port.ts'
import { type Given, idOf, momentOr, type Read, readEach, received, unread, withoutIndexes } from '../read.ts'
import { adOf, contentsOf, kindOf, productText, textOf } from './contents.ts'
import { directEventsIn } from './direct/inbound.ts'
import { providerTextOf } from './graph.ts'
import { isMessageId } from './message-id.ts'
import { numberNewsOf } from './numbers.ts'
import {
  type About,
  type MetaCall,
  type MetaGroup,
  type MetaMessage,
  type MetaNewId,
  type MetaStatus,
  metaBody,
  metaCall,
  metaGroup,
  metaMessage,
  metaNewId,
  metaStatus,
} from './schemas.ts'

/** Result of reading a webhook body: events, each of a phone number id, and names of parts of unsupported kinds. */
export type MetaEvents = {
  readonly events: readonly AccountEvent[]
  readonly unread: readonly string[]
  readonly templates: readonly TemplateNews[]
  readonly numbers: readonly NumberNews[]
}

const STATUSES = ['sent', 'delivered', 'read', 'played', 'failed'] as const

/**
 * Parses the body of a webhook call of the app with this id: each message and each status becomes an event of a number, a
 * page or an Instagram account. Without a timestamp it happened `now` (epoch ms).
 * @throws SyntaxError if it is no JSON object.
 */
export function eventsIn(text: string, appId = '', now = Date.now()): MetaEvents {
  // Template ids are JSON numbers there, with more digits than a JavaScript number holds.
  const exact = text.replace(/("message_template_id":\s*)(\d+)/g, '$1"$2"')
  const call = parseJson(exact)
  if (typeof call !== 'object' || call === null) throw new SyntaxError('the call is no object')
  const body = readOutside(metaBody, call)
  if (!body) return { events: [], unread: ['body'], templates: [], numbers: [] }
  const { object = '', entry = [] } = body.data
  const wrong = body.wrong.map((path) => `${object}.${withoutIndexes(path)}`)
  if (object === 'page' || object === 'instagram') {
    const { events, unread: names } = directEventsIn(object, entry, { appId, now })
    return { events, unread: [...names, ...wrong], templates: [], numbers: [] }
  }
  const events: AccountEvent[] = []
  const names: string[] = [...wrong]
  const templates: TemplateNews[] = []
  const numbers: NumberNews[] = []
  const changes = entry.flatMap(({ id = '', time = 0, changes: of = [] }) =>
    of.map(({ field = '', value = {} }) => ({ field, value, at: time * 1000, business: id })),
  )
  for (const { field, value, at, business } of changes) {
    const news = templateNewsOf(field, value, at)
    if (news) {
      templates.push(news)
      continue
    }
    const found = numberNewsOf(field, value, { business, at })
    numbers.push(...found.news)
    if (found.isAll) continue
    const account = value.metadata?.phone_number_id
    const isRead = object === 'whatsapp_business_account' && account !== undefined && FIELDS.includes(field)
    if (!isRead) {
      names.push(`${object}.${field}`)
      continue
    }
    const of = { about: value.contacts ?? [], phoneId: account, now }
    for (const read of [
      readEach('message', metaMessage, value.messages ?? [], (one, given) => eventsOf(one, given, of, 'message')),
      readEach('echo', metaMessage, value.message_echoes ?? [], (one, given) => eventsOf(one, given, of, 'echo')),
      readEach('status', metaStatus, value.statuses ?? [], (one) => receiptOf(one, now)),
      readEach('call', metaCall, value.calls ?? [], (one) => callOf(one, of)),
      readEach('group', metaGroup, value.groups ?? [], (one) => groupNewsOf(one, now)),
      readEach('user_id_update', metaNewId, value.user_id_update ?? [], newIdOf),
    ]) {
      events.push(...read.events.map((event) => ({ account, event })))
      names.push(...read.unread)
    }
  }
  return { events, unread: names, templates, numbers }
}

const FIELDS: readonly string[] = [
  ...['messages', 'message_echoes', 'smb_message_echoes', 'calls', 'user_id_update'],
  ...['group_participants_update', 'group_lifecycle_update', 'group_settings_update'],
]

/** Converts an incoming phone call; later events of the call are ignored. */
function callOf(call: MetaCall, of: Of): Read {
  const { id, event, direction } = call
  if (event !== 'connect' || direction === 'BUSINESS_INITIATED') return received([])
  const sender = senderOf(call.from, call.from_user_id, of.about)
  if (id === undefined || !sender) return unread('calls.connect')
  const message = callMessage(id, momentOf(call.timestamp, of.now), /^m=video/m.test(call.session?.sdp ?? ''))
  return received([{ type: 'message', dedupeKey: id, conversationKey: sender.identity, sender, message }])
}

/** Converts a change of a group: members who joined or left, new name. */
function groupNewsOf({ group_id: group, type = '', ...about }: MetaGroup, now: number): Read {
  if (group === undefined) return unread(`groups.${type}`)
  const timestamp = momentOf(about.timestamp, now)
  const named = (what: string) => ({ dedupeKey: `${group} ${what} ${timestamp}`, conversationKey: group, timestamp })
  const members = (all: MetaGroup['added_participants']) =>
    (all ?? []).flatMap(({ wa_id, user_id, username = '' }): GroupMember[] => {
      const identity = wa_id ?? user_id
      return identity === undefined ? [] : [{ identity, name: username, number: wa_id ?? null }]
    })
  const come = members(about.added_participants)
  const gone = members(about.removed_participants)
  const name = about.subject ?? about.group_subject?.text
  const news: GroupUpdate[] = [
    ...(come.length > 0 ? [{ ...named('add'), type: 'participants', change: 'add', members: come } as const] : []),
    ...(gone.length > 0
      ? [{ ...named('remove'), type: 'participants', change: 'remove', members: gone } as const]
      : []),
    ...(name ? [{ ...named('profile'), type: 'profile', name } as const] : []),
  ]
  return news.length > 0 ? received(news) : unread(`groups.${type}`)
}

/** Converts the news of another id of a contact who hides their number; the conversation stays theirs. */
function newIdOf({ wa_id: number, user_id: { previous, current } = {} }: MetaNewId): Read {
  const sender = { alias: number ?? current ?? '', number: number ?? null }
  const old = [...new Set([previous, current])].flatMap((one) => (one === sender.alias ? [] : (one ?? [])))
  if (sender.alias === '' || old.length === 0) return unread('user_id_update')
  return received(
    old.map((identity) => ({
      ...({ type: 'addresses', dedupeKey: `${identity} ${sender.alias}`, conversationKey: identity } as const),
      sender: { identity, ...sender },
    })),
  )
}

function receiptOf({ id, status: given = '', timestamp, errors, ...to }: MetaStatus, now: number): Read {
  const status = STATUSES.find((one) => one === given)
  if (!status || id === undefined) return unread(`statuses.${given}`)
  const [refusal] = status === 'failed' ? (errors ?? [{}]) : []
  // In a group each member has a status of their own, and the number of members is unknown.
  if (to.recipient_type === 'group' && status !== 'sent' && status !== 'failed') return received([])
  const { biz_opaque_callback_data: messageId = '' } = to
  const refused = refusal && refusalOf(refusal.code ?? null)
  const providerText = providerTextOf(refusal)
  return received([
    {
      type: 'receipt',
      dedupeKey: `${id}:${status}:${timestamp ?? ''}`,
      conversationKey: to.recipient_id ?? to.recipient_user_id ?? '',
      providerId: id,
      ...{ status, timestamp: momentOf(timestamp, now) },
      ...(isMessageId(messageId) ? { messageId } : {}),
      ...(refused ? { error: refused.after } : {}),
      ...(refused?.stops ? { stops: refused.stops } : {}),
      ...(providerText ? { providerText } : {}),
    },
  ])
}

const momentOf = (seconds = 0, now: number): number => momentOr(seconds * 1000, now)

type Of = { readonly about: About; readonly phoneId: string; readonly now: number }

function eventsOf(message: MetaMessage, { whole, wrong }: Given, of: Of, type: 'message' | 'echo'): Read {
  const id = message.id ?? idOf(whole)
  const kind = kindOf(message)
  const name = `${type}.${kind}`
  if (kind === 'system') return newAddresses(message, id) ?? unread(name)
  const isEcho = type === 'echo'
  const [from, userId] = isEcho ? [message.to, undefined] : [message.from, message.from_user_id]
  const sender = senderOf(from, userId, of.about)
  const identity = sender?.identity
  const group = message.group_id
  // A message of an unreadable group id is not assigned, in particular not to its author's private conversation.
  if (wrong.includes('group_id')) return unread(`${name} of a group`)
  if (!sender || identity === undefined) return unread(name)
  const about = { dedupeKey: id, conversationKey: group ?? identity }
  const at = momentOf(message.timestamp, of.now)
  // Opening the conversation alone is no message.
  if (kind === 'request_welcome') return received([])
  const author = group ? { author: { identity } } : {}
  const act = { ...about, timestamp: at, ...(isEcho ? { fromMe: true as const } : author) }
  if (kind === 'reaction') {
    const { message_id: providerId, emoji } = message.reaction ?? {}
    return providerId === undefined
      ? unread(name)
      : received([{ ...act, type: 'reaction', providerId, emoji: emoji || null }])
  }
  const changed = message.edit?.original_message_id ?? message.revoke?.original_message_id
  if (kind === 'revoke' && changed !== undefined) return received([{ ...act, type: 'revoke', providerId: changed }])
  const edited = message.edit?.message && textOf(message.edit.message)
  if (kind === 'edit' && changed !== undefined && edited !== undefined)
    return received([{ ...act, type: 'edit', providerId: changed, body: edited }])
  const read = contentsOf(message, of.phoneId)
  // Messages of people are always shown, at least as a placeholder.
  if (read.length === 0 && isEcho && textIn(whole) === '') return unread(name)
  const contents = read.length > 0 ? read : [{ type: 'text' as const, body: notShown('WhatsApp', whole) }]
  const ad = adOf(message.referral)
  const product = productText(message)
  const { context } = message
  const events = contents.map(({ body, ...content }, n): ProviderEvent => {
    const part = n === 0 ? id : `${id}:${n}`
    return {
      ...{ ...about, type, dedupeKey: part, sender, ...(group ? { isGroup: true } : {}) },
      message: {
        ...{ providerId: part, timestamp: at, ...content },
        body: n === 0 ? [body, product].filter(Boolean).join('\n') : body,
        ...(ad && n === 0 ? { ad } : {}),
        ...(context?.id ? { quotedProviderId: context.id } : {}),
        ...(context?.forwarded || context?.frequently_forwarded ? { isForwarded: true } : {}),
      },
    }
  })
  return { events, ...(read.length > 0 || kind === 'unsupported' ? {} : { unread: name }) }
}

/** Returns the sender of a message by the contacts listed beside it; null where it cannot be known. */
function senderOf(from: string | undefined, userId: string | undefined, about: About) {
  const alone = from === undefined && userId === undefined && about.length === 1 ? about[0] : undefined
  const [number, id] = [from ?? alone?.wa_id, userId ?? alone?.user_id]
  const identity = number ?? id
  if (!identity) return null
  const known = alone ?? about.find((one) => (number ? one.wa_id === number : one.user_id === id))
  const name = known?.profile?.name ?? number ?? 'Contato com número oculto'
  return { identity, name, number: number ?? null, ...(number && id ? { alias: id } : {}) }
}

// A person with a new number or id stays the same: each former address leads to the new one.
function newAddresses({ from, from_user_id, system }: MetaMessage, id: string): Read | null {
  const number = system?.wa_id ?? system?.new_wa_id ?? null
  const [alias, ...others] = [
    ...new Set([number, system?.user_id, from, from_user_id, system?.previous_user_id].filter((one) => one != null)),
  ]
  if (!alias || others.length === 0) return null
  return received(
    others.map((identity, n) => ({
      ...({ type: 'addresses', dedupeKey: `${id}:${n}`, conversationKey: identity } as const),
      sender: { identity, alias, number },
    })),
  )
}
