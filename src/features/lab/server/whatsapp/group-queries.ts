import { lookUp } from '#domain/present.ts'
import { type Device, type Directory, type Group, jidOf } from './directory.ts'
import { type BinaryNode, child, children, node, SERVER, seconds, textOf } from './nodes.ts'
import type { Relay } from './relay.ts'

/** Change of a group's members. */
export type MembersChange = 'add' | 'remove' | 'promote' | 'demote'

type Known = {
  readonly directory: Directory
  readonly relay: Relay
  /** Called with each change of a group by a linked device. */
  readonly onGroupChange?: ((group: Group, by: Device) => void) | undefined
}
type Refused = { readonly code: number; readonly text: string }

let lastGroup = 0
let lastNotification = 0

const member = (group: Group, lid: string): BinaryNode => {
  const { account, isAdmin } = lookUp(group.members, lid)
  return node('participant', {
    jid: jidOf(account, 'lid'),
    phone_number: account.isHidden ? undefined : jidOf(account, SERVER),
    type: isAdmin ? (account === group.creator ? 'superadmin' : 'admin') : undefined,
  })
}

/** Builds the node of a group as shown to its members. */
export const groupNode = (group: Group): BinaryNode =>
  node(
    'group',
    {
      id: group.jid.split('@')[0],
      subject: group.subject,
      s_t: group.createdAt,
      s_o: jidOf(group.creator, 'lid'),
      creation: group.createdAt,
      creator: jidOf(group.creator, 'lid'),
      creator_pn: jidOf(group.creator, SERVER),
      addressing_mode: 'lid',
      size: group.members.size,
    },
    [
      ...(group.description
        ? [node('description', { id: group.description.id }, [node('body', {}, Buffer.from(group.description.text))])]
        : []),
      ...(group.onlyAdminsWrite ? [node('announcement')] : []),
      ...[...group.members.keys()].map((lid) => member(group, lid)),
    ],
  )

function notify({ relay }: Known, group: Group, by: Device, about: BinaryNode, also: readonly Device[] = []) {
  const attrs = {
    from: group.jid,
    type: 'w:gp2',
    id: `group-${++lastNotification}`,
    t: seconds(),
    participant: jidOf(by.account, 'lid'),
    participant_pn: jidOf(by.account, SERVER),
  }
  const members = [...group.members.values()].flatMap(({ account }) => [...account.devices.values()])
  for (const device of new Set([...members, ...also]))
    if (device !== by) relay.deliver(device, node('notification', attrs, [about]))
}

const newJid = (): string => `1203630000${String(++lastGroup).padStart(8, '0')}@g.us`

/** Creates a group of its creator and others, and notifies all of them; `jid`: its address. */
export function createGroup(
  known: Known,
  by: Device,
  subject: string,
  others: readonly string[],
  jid = newJid(),
): Group {
  const group: Group = {
    jid,
    subject,
    description: null,
    onlyAdminsWrite: false,
    creator: by.account,
    createdAt: seconds(),
    members: new Map([[by.account.lid, { account: by.account, isAdmin: true }]]),
  }
  for (const other of others) {
    const account = known.directory.find(other)
    if (account) group.members.set(account.lid, { account, isAdmin: false })
  }
  known.directory.groups.set(group.jid, group)
  notify(known, group, by, node('create', {}, [groupNode(group)]))
  return group
}

/** Renames a group and notifies its members. */
export function renameGroup(known: Known, by: Device, group: Group, subject: string): void {
  group.subject = subject
  notify(known, group, by, node('subject', { subject, s_t: seconds(), s_o: jidOf(by.account, 'lid') }))
}

/** Sets the description of a group; an empty text removes it. */
export function describeGroup(known: Known, by: Device, group: Group, text: string): void {
  group.description = text ? { id: `description-${++lastNotification}`, text } : null
  notify(known, group, by, node('description', { id: group.description?.id }, [node('body', {}, Buffer.from(text))]))
}

/** Restricts writing in a group to admins, or lifts the restriction. */
export function restrictGroup(known: Known, by: Device, group: Group, isOn: boolean): void {
  group.onlyAdminsWrite = isOn
  notify(known, group, by, node(isOn ? 'announcement' : 'not_announcement'))
}

/** Adds, removes, promotes or demotes members of a group; returns the LIDs of those who existed. */
export function changeMembers(
  known: Known,
  by: Device,
  group: Group,
  change: MembersChange,
  jids: readonly string[],
): string[] {
  const accounts = jids
    .flatMap((jid) => known.directory.find(jid) ?? [])
    .filter(({ lid }) => change === 'add' || group.members.has(lid))
  const before = accounts.flatMap(({ devices }) => [...devices.values()])
  for (const account of accounts) {
    if (change === 'add') group.members.set(account.lid, { account, isAdmin: false })
    else if (change !== 'remove') group.members.set(account.lid, { account, isAdmin: change === 'promote' })
  }
  const about = accounts.map(({ lid }) => member(group, lid))
  if (change === 'remove') for (const { lid } of accounts) group.members.delete(lid)
  notify(known, group, by, node(change, {}, about), before)
  return accounts.map((account) => jidOf(account, 'lid'))
}

const FORBIDDEN: Refused = { code: 403, text: 'forbidden' }

/** Answers a linked device's query about groups; only admins may change a group. */
export function answerGroups(known: Known, device: Device, iq: BinaryNode): BinaryNode[] | Refused {
  const { directory } = known
  const changed = (group: Group) => known.onGroupChange?.(group, device)
  const create = child(iq, 'create')
  if (create) {
    const others = children(create, 'participant').map(({ attrs }) => attrs['jid'] ?? '')
    const made = createGroup(known, device, create.attrs['subject'] ?? '', others)
    changed(made)
    return [groupNode(made)]
  }
  if (child(iq, 'participating')) {
    const own = [...directory.groups.values()].filter(({ members }) => members.has(device.account.lid))
    return [node('groups', {}, own.map(groupNode))]
  }
  const group = directory.groups.get(iq.attrs['to'] ?? '')
  const own = group?.members.get(device.account.lid)
  if (!group || !own) return FORBIDDEN
  if (iq.attrs['type'] === 'get') return child(iq, 'query') ? [groupNode(group)] : []
  if (!own.isAdmin) return FORBIDDEN
  const [subject, description] = [child(iq, 'subject'), child(iq, 'description')]
  if (subject) renameGroup(known, device, group, textOf(subject))
  if (description) {
    // A change must name the last description, or it is a conflict.
    if ((description.attrs['prev'] ?? null) !== (group.description?.id ?? null)) return { code: 409, text: 'conflict' }
    describeGroup(known, device, group, textOf(child(description, 'body')))
  }
  if (child(iq, 'announcement')) restrictGroup(known, device, group, true)
  if (child(iq, 'not_announcement')) restrictGroup(known, device, group, false)
  for (const change of ['add', 'remove', 'promote', 'demote'] as const) {
    const asked = child(iq, change)
    if (!asked) continue
    const jids = children(asked, 'participant').map(({ attrs }) => attrs['jid'] ?? '')
    const isIn = (jid: string) => group.members.has(directory.find(jid)?.lid ?? '')
    const errorOf = (jid: string): string | undefined => {
      if (!directory.find(jid)) return '404'
      return change === 'add' ? (isIn(jid) ? '409' : undefined) : isIn(jid) ? undefined : '404'
    }
    const answers = jids.map((jid) => ({ jid, error: errorOf(jid) }))
    const able = answers.flatMap(({ jid, error }) => (error ? [] : [jid]))
    if (able.length > 0) changeMembers(known, device, group, change, able)
    changed(group)
    return [
      node(
        change,
        {},
        answers.map((one) => node('participant', one)),
      ),
    ]
  }
  changed(group)
  return []
}
