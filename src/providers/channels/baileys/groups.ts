import type { BinaryNode, GroupMetadata, WASocket } from 'baileys'
import { ownMember } from '#domain/keys.ts'
import { withAddresses } from '#domain/messages/group-mentions.ts'
import { groupNews } from '../group-news.ts'
import type { GroupMember, GroupUpdate, Link, Outbound } from '../port.ts'
import { conversationOf, digitsOf, jidOf } from '../whatsapp-addresses.ts'
import type { DeviceKeys } from './keys.ts'

/** Groups of a device, with names and members. */
export type DeviceGroups = ReturnType<typeof openGroups>

type Participant = { readonly id: string; readonly phoneNumber?: string | undefined; readonly admin?: string | null }
type Named = {
  readonly id?: string | undefined
  readonly notify?: string | undefined
  readonly name?: string | undefined
}

const changes = { add: 'add', remove: 'remove', leave: 'remove', promote: 'promote', demote: 'demote' } as const
const childrenOf = ({ content }: BinaryNode): BinaryNode[] => (Array.isArray(content) ? content : [])

const participantsIn = (about: BinaryNode): Participant[] =>
  childrenOf(about).flatMap(({ tag, attrs: { jid, phone_number: phoneNumber, type } }) =>
    tag === 'participant' && jid ? [{ id: jid, phoneNumber, admin: type ?? null }] : [],
  )

/** Caches the groups of a device, from queries and notifications. */
export function openGroups(keys: DeviceKeys, link: Pick<Link, 'state'>, socket: () => WASocket) {
  const known = new Map<string, GroupMetadata>()
  const subjects = new Map<string, string>()
  const names = new Map<string, string>()
  /** Server time of the login in ms; later notifications are newer. */
  let loginAt = 0

  /** Whether an address is the device's own. */
  const isOwn = (jid: string): boolean => {
    const { me } = keys.creds
    return [me?.id, me?.lid].some((own) => own && conversationOf(own) === conversationOf(jid))
  }

  function memberOf({ id, phoneNumber, admin }: Participant): GroupMember {
    const { me } = keys.creds
    const [identity, number] = [conversationOf(id), digitsOf(phoneNumber ?? id)]
    const name = (isOwn(id) && me?.name) || names.get(identity) || (number && names.get(number)) || ''
    return { identity, name, number, isAdmin: Boolean(admin) }
  }

  /** Returns the group events of a notification stanza. */
  function eventsOf(stanza: BinaryNode): GroupUpdate[] {
    const { type, id, t, participant, from: conversationKey = '' } = stanza.attrs
    const [change] = childrenOf(stanza)
    if (type !== 'w:gp2' || !change) return []
    known.delete(conversationKey)
    const by = participant ? { by: conversationOf(participant) } : {}
    const about = { conversationKey, timestamp: Number(t) * 1000, ...by }
    const profile = (name: string): GroupUpdate => {
      subjects.set(conversationKey, name)
      return { ...about, dedupeKey: `${id} ${t} profile`, type: 'profile', name }
    }
    const participants = (of: BinaryNode, what: 'all' | (typeof changes)[keyof typeof changes]): GroupUpdate => ({
      ...{ ...about, dedupeKey: `${id} ${t} participants`, type: 'participants', change: what },
      members: participantsIn(of).map(memberOf),
    })
    const group = change.tag === 'create' ? childrenOf(change).find(({ tag }) => tag === 'group') : undefined
    if (group) return [profile(group.attrs['subject'] ?? ''), participants(group, 'all')]
    if (change.tag === 'subject') return [profile(change.attrs['subject'] ?? '')]
    const membership = ownMember(changes, change.tag)
    return membership ? [participants(change, membership)] : []
  }

  /** Writes names and members of groups that differ from what was written last. */
  async function write(groups: readonly GroupMetadata[]) {
    const all = groups.map(({ id, subject, participants }) => ({
      ...{ key: id, name: subject, members: participants.map(memberOf) },
    }))
    for await (const { events, entries } of groupNews(link.state, all, loginAt)) await keys.write(events, entries)
  }

  const metadataOf = async (group: string, how: 'known' | 'anew' = 'known'): Promise<GroupMetadata> => {
    const found = (how === 'known' && known.get(group)) || (await socket().groupMetadata(group))
    known.set(group, found)
    return found
  }

  return {
    eventsOf,
    isOwn,
    memberOf,
    metadataOf,
    subjectOf: (group: string): string | undefined => subjects.get(group),
    /** Called when the server has logged the device in. */
    loggedIn({ attrs }: BinaryNode) {
      loginAt = Number(attrs['t']) * 1000
    },
    /** Queries the groups and writes their changes; returns them. */
    async refresh(): Promise<GroupMetadata[]> {
      const groups = Object.values(await socket().groupFetchAllParticipating())
      for (const group of groups) {
        known.set(group.id, group)
        subjects.set(group.id, group.subject)
      }
      await write(groups)
      return groups
    },
    /** Learns the names of people who have not written in a group themselves. */
    async named(people: readonly Named[]) {
      for (const { id, notify, name = notify } of people) if (id && name) names.set(conversationOf(id), name)
      await write([...known.values()])
    },
    /** Returns a message's text with addresses in place of names, and the members that it mentions. */
    async mentioning<M extends Pick<Outbound, 'conversationKey' | 'body' | 'mentions'>>(message: M) {
      const { mentions, body, conversationKey } = message
      if (!mentions) return { message, about: {} }
      const { people, everyone } = mentions
      const all = everyone ? (await metadataOf(jidOf(conversationKey))).participants.map(({ id }) => id) : []
      const jids = [...new Set([...people.map(({ identity }) => jidOf(identity)), ...all])]
      const about = { mentions: jids, ...(everyone === 'shown' ? { mentionAll: true } : {}) }
      return { message: { ...message, body: withAddresses(body, people) }, about: about }
    },
  }
}
