import type { proto } from 'baileys'
import { mentionsIn, withAddresses, withNames } from '#domain/messages/group-mentions.ts'
import { partBefore } from '#domain/present.ts'
import type { LabMessageRow, PhoneRow } from './rows.ts'
import type { Phone } from './whatsapp/phone.ts'
import type { WhatsAppServer } from './whatsapp/server.ts'

/** How a group of phones is addressed at the local WhatsApp, and by which number it stands in the laboratory. */
export const groupJid = ({ number }: Pick<PhoneRow, 'number'>): string => `${number}@g.us`
export const groupNumber = (jid: string): string | null => (jid.endsWith('@g.us') ? partBefore(jid, '@') : null)

type Group = Pick<PhoneRow, 'number' | 'name' | 'members' | 'description' | 'only_admins_write' | 'is_own_admin'>

/** The groups of the laboratory at its WhatsApp; the linked number is in each of them. */
export function worldGroups(
  server: WhatsAppServer,
  own: Phone,
  /** The phone of a number that is, or was, in the laboratory. */
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
     * Makes a group what it is in the laboratory; `by` is the number of who did what is new, else somebody who runs it, or
     * whoever left.
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
      if (group.subject !== row.name && namer) server.renameGroup(namer, jid, row.name)
      if ((group.description?.text ?? '') !== row.description && namer)
        server.describeGroup(namer, jid, row.description)
      if (group.onlyAdminsWrite !== row.only_admins_write && namer)
        server.restrictGroup(namer, jid, row.only_admins_write)
      if (row.is_own_admin !== (known.get(own.account.number) ?? false) && namer)
        server.changeMembers(namer, jid, row.is_own_admin ? 'promote' : 'demote', [own])
      for (const { number, isAdmin } of row.members) {
        if (!known.has(number)) change('add', number)
        if (isAdmin !== (known.get(number) ?? false)) change(isAdmin ? 'promote' : 'demote', number)
      }
      for (const number of known.keys())
        if (number !== own.account.number && !row.members.some((one) => one.number === number))
          change('remove', number, number)
    },

    /** A message of a group as its channel writes it: addresses in the place of names, and whose they are. */
    addressed(row: LabMessageRow, { members }: Group): { row: LabMessageRow; context: proto.IContextInfo } {
      if (!row.mentions) return { row, context: {} }
      const people = row.mentions.people.map(({ name, identity }) => ({ name, identity: lidOf(identity) }))
      const everybody = row.mentions.everyone ? [own.lid, ...members.map(({ number }) => lidOf(number))] : []
      const mentionedJid = [...new Set([...people.map(({ identity }) => identity), ...everybody])]
      return { row: { ...row, body: withAddresses(row.body, people) }, context: { mentionedJid } }
    },

    /** What the team says to a group, with names in the place of addresses, and whom it mentions. */
    named(body: string, mentioned: readonly string[], { members }: Group) {
      const people = members.map(({ name, number }) => ({ name, number, identity: lidOf(number) }))
      const found = people.filter(({ identity }) => mentioned.includes(identity))
      const isAll = found.length > 0 && found.length === people.length && mentioned.includes(own.lid)
      const everyone = isAll ? (mentionsIn(body, [])?.everyone ?? ('hidden' as const)) : null
      const named = isAll ? [] : found.map(({ name, number }) => ({ name, identity: number }))
      return {
        body: withNames(body, people),
        mentions: isAll || named.length > 0 ? { people: named, everyone } : null,
      }
    },
  }
}
