import type { proto } from 'baileys'
import { mentionsIn, withAddresses, withNames } from '#domain/messages/group-mentions.ts'
import { partBefore } from '#domain/present.ts'
import type { LabMessageRow, PhoneRow } from './rows.ts'
import type { Group as ServerGroup } from './whatsapp/directory.ts'
import type { Phone } from './whatsapp/phone.ts'
import type { WhatsAppServer } from './whatsapp/server.ts'

/** Convert between a group's number in the lab and its address at the local WhatsApp. */
export const groupJid = ({ number }: Pick<PhoneRow, 'number'>): string => `${number}@g.us`
export const groupNumber = (jid: string): string | null => (jid.endsWith('@g.us') ? partBefore(jid, '@') : null)

type Group = Pick<PhoneRow, 'number' | 'name' | 'members' | 'description' | 'only_admins_write' | 'is_own_admin'>

/** Groups of the lab at its local WhatsApp; the linked number is a member of each. */
export function worldGroups(
  server: WhatsAppServer,
  own: Phone,
  /** Returns the phone of a current or former number of the lab. */
  personOf: (number: string) => Phone | undefined,
) {
  const lidOf = (number: string): string => personOf(number)?.lid ?? ''

  function make(jid: string, { name, members }: Group) {
    const [first, ...others] = members.flatMap(({ number }) => personOf(number) ?? [])
    if (first) server.createGroup(first, name, [...others, own], jid)
  }

  return {
    lidOf,

    /**
     * Makes a group equal to its row in the lab; `by` is the number of the author of the changes, default: an admin, or the
     * member who left.
     */
    sync(row: Group, by: string | null): void {
      const jid = groupJid(row)
      if (!server.directory.groups.has(jid)) make(jid, row)
      const group = server.directory.groups.get(jid)
      if (!group) return
      const known = new Map([...group.members.values()].map(({ account, isAdmin }) => [account.number, isAdmin]))
      const admin = [...known].find(([, isAdmin]) => isAdmin)?.[0] ?? row.members[0]?.number
      const change = (what: 'add' | 'remove' | 'promote' | 'demote', number: string, doer = admin) => {
        const [person, actor] = [personOf(number), personOf(by ?? doer ?? '')]
        if (person && actor) server.changeMembers(actor, jid, what, [person])
      }
      const namer = personOf(by ?? admin ?? '')
      if (namer) {
        describe(server, namer, group, row)
        if (row.is_own_admin !== (known.get(own.account.number) ?? false))
          server.changeMembers(namer, jid, row.is_own_admin ? 'promote' : 'demote', [own])
      }
      for (const { number, isAdmin } of row.members) {
        if (!known.has(number)) change('add', number)
        if (isAdmin !== (known.get(number) ?? false)) change(isAdmin ? 'promote' : 'demote', number)
      }
      for (const number of known.keys())
        if (number !== own.account.number && !row.members.some((one) => one.number === number))
          change('remove', number, number)
    },

    /** Converts a message of a group for the channel: addresses in place of names, with its mentions. */
    addressed(row: LabMessageRow, { members }: Group): { row: LabMessageRow; context: proto.IContextInfo } {
      return addressedFor(row, lidOf, () => [own.lid, ...members.map(({ number }) => lidOf(number))])
    },

    /** Converts a text of the team to a group: names in place of addresses, with its mentions. */
    named: (body: string, mentioned: readonly string[], { members }: Group) =>
      namedIn(
        body,
        members.map(({ name, number }) => ({ name, number, identity: lidOf(number) })),
        { mentioned, own: own.lid },
      ),
  }
}

function describe(server: WhatsAppServer, namer: Phone, group: ServerGroup, row: Group): void {
  const { jid } = group
  if (group.subject !== row.name) server.renameGroup(namer, jid, row.name)
  if ((group.description?.text ?? '') !== row.description) server.describeGroup(namer, jid, row.description)
  if (group.onlyAdminsWrite !== row.only_admins_write) server.restrictGroup(namer, jid, row.only_admins_write)
}

function namedIn(
  body: string,
  people: readonly { name: string; number: string; identity: string }[],
  { mentioned, own }: { mentioned: readonly string[]; own: string },
) {
  const found = people.filter(({ identity }) => mentioned.includes(identity))
  const isAll = found.length > 0 && found.length === people.length && mentioned.includes(own)
  const everyone = isAll ? (mentionsIn(body, [])?.everyone ?? ('hidden' as const)) : null
  const named = isAll ? [] : found.map(({ name, number }) => ({ name, identity: number }))
  return {
    body: withNames(body, people),
    mentions: isAll || named.length > 0 ? { people: named, everyone } : null,
  }
}

function addressedFor(
  row: LabMessageRow,
  lidOf: (number: string) => string,
  everybody: () => readonly string[],
): { row: LabMessageRow; context: proto.IContextInfo } {
  if (!row.mentions) return { row, context: {} }
  const people = row.mentions.people.map(({ name, identity }) => ({ name, identity: lidOf(identity) }))
  const all = row.mentions.everyone ? everybody() : []
  const mentionedJid = [...new Set([...people.map(({ identity }) => identity), ...all])]
  return { row: { ...row, body: withAddresses(row.body, people) }, context: { mentionedJid } }
}
