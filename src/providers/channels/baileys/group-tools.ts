import type { GroupMetadata, WASocket } from 'baileys'
import { type GroupRole, NOBODY_THERE, NOT_ADMIN, NOT_IN_GROUP, type NumberOutcome } from '#domain/groups/tools.ts'
import { fieldIn } from '#domain/keys.ts'
import { spellingsOf } from '#domain/phone/brazil.ts'
import { lookUp, present } from '#domain/present.ts'
import {
  type ChannelGroup,
  type ChannelGroupMember,
  type GroupChange,
  type GroupQuestions,
  isSendFailure,
  type SendFailure,
  sendFailure,
} from '../port.ts'
import { conversationOf, digitsOf, jidOf } from '../whatsapp-addresses.ts'
import type { DeviceSocket } from './socket.ts'

/** Revokes a member's message in a group by its id. */
type TakeBack = (group: string, message: { readonly id: string; readonly participant: string }) => Promise<unknown>

const roles: Readonly<Record<string, GroupRole>> = { superadmin: 'owner', admin: 'admin' }
const roleOf = (admin: string | null | undefined): GroupRole => roles[admin ?? ''] ?? 'member'

/** Sentences for WhatsApp's refusal codes. */
const REFUSALS: Readonly<Record<number, string>> = {
  401: NOT_ADMIN,
  403: NOT_ADMIN,
  404: NOT_IN_GROUP,
  406: 'O WhatsApp não aceita este valor.',
  419: 'O grupo está cheio.',
}

/** Returns the outcome of a failed query: refused with a code, else unknown. */
export function queryFailure(error: unknown): SendFailure {
  if (isSendFailure(error)) return error
  const code = Number(fieldIn(error, 'data') ?? Number.NaN)
  if (code === 429 || code === 503)
    return sendFailure('unreachable', 'O WhatsApp pediu para esperar.', { isHaste: true })
  if (code >= 400 && code < 500) return sendFailure('refused', REFUSALS[code] ?? `O WhatsApp recusou (${code}).`)
  return sendFailure('unknown', 'O WhatsApp não respondeu a tempo.')
}

/** Converts the metadata of a group, with the account's own role. */
const groupOf = ({ groups }: Pick<DeviceSocket, 'groups'>, found: GroupMetadata): ChannelGroup => {
  const own = found.participants.find(({ id }) => groups.isOwn(id))
  return {
    ...{ key: found.id, name: found.subject, description: found.desc ?? '', role: own ? roleOf(own.admin) : null },
    ...{ size: found.participants.length, onlyAdminsWrite: found.announce === true },
  }
}

/** Returns the JIDs of numbers that have WhatsApp, by requested number; others are missing. */
async function reached(socket: WASocket, numbers: readonly string[]): Promise<Map<string, string>> {
  const found = numbers.length > 0 ? ((await socket.onWhatsApp(...numbers)) ?? []) : []
  const there = new Map(found.filter(({ exists }) => exists).map(({ jid }) => [conversationOf(jid), jid]))
  return new Map(
    numbers.flatMap((number) => {
      const spelled = spellingsOf(number).find((one) => there.has(one))
      return spelled ? [[number, lookUp(there, spelled)]] : []
    }),
  )
}

/** Returns the position of a person among members, by digits or identity. */
function addressIn({ participants }: GroupMetadata, who: string): string | null {
  const spellings = spellingsOf(who)
  const found = participants.find(
    ({ id, phoneNumber }) => conversationOf(id) === who || spellings.includes(digitsOf(phoneNumber ?? id) ?? ''),
  )
  return found?.id ?? null
}

async function changeMembers(
  socket: WASocket,
  found: GroupMetadata,
  { change, whom }: Extract<GroupChange, { type: 'members' }>,
): Promise<NumberOutcome[]> {
  const isAdding = change === 'add'
  const strangers = isAdding
    ? await reached(
        socket,
        whom.filter((who) => addressIn(found, who) === null),
      )
    : null
  const addresses = new Map(
    whom.flatMap((who) => {
      const member = addressIn(found, who)
      const address = isAdding ? (member ? null : (present(strangers).get(who) ?? null)) : member
      return address ? [[who, address]] : []
    }),
  )
  const jids = [...new Set(addresses.values())]
  const answered = jids.length > 0 ? await socket.groupParticipantsUpdate(found.id, jids, change) : []
  const codes = new Map(answered.map(({ jid, status }) => [jid ? conversationOf(jid) : '', Number(status) || 500]))
  return whom.map((number) => {
    const address = addresses.get(number)
    if (!address) return { number, code: isAdding && addressIn(found, number) ? 409 : 404 }
    // Results are in the order of the request, if the server names members by other addresses.
    const code = codes.get(conversationOf(address)) ?? answered[jids.indexOf(address)]?.status
    return { number, code: Number(code ?? 500) }
  })
}

/** Group tools of a device. */
export function groupTools(
  through: () => DeviceSocket,
  takeBack: TakeBack,
): { [Q in keyof GroupQuestions]: (about: GroupQuestions[Q]['about']) => Promise<GroupQuestions[Q]['answer']> } {
  async function change({ key, change }: GroupQuestions['changeGroup']['about']): Promise<readonly NumberOutcome[]> {
    const { socket, groups } = through()
    const jid = jidOf(key)
    if (change.type === 'title') await socket.groupUpdateSubject(jid, change.title)
    else if (change.type === 'description') await socket.groupUpdateDescription(jid, change.description || undefined)
    else if (change.type === 'picture') await socket.updateProfilePicture(jid, Buffer.from(change.jpeg))
    else if (change.type === 'adminsOnly')
      await socket.groupSettingUpdate(jid, change.isOn ? 'announcement' : 'not_announcement')
    else if (change.type === 'message')
      await takeBack(jid, { id: change.providerId, participant: jidOf(change.author) })
    else return changeMembers(socket, await groups.metadataOf(jid, 'anew'), change)
    return []
  }

  const questions: ReturnType<typeof groupTools> = {
    async groupList() {
      const device = through()
      return (await device.groups.refresh()).map((found) => groupOf(device, found))
    },
    async group({ key }) {
      const device = through()
      const found = await device.groups.metadataOf(jidOf(key), 'anew').catch((error: unknown) => {
        if (queryFailure(error).kind === 'refused') return null
        throw error
      })
      if (!found) return null
      const members = found.participants.map((one): ChannelGroupMember => {
        const { identity, name, number = null } = device.groups.memberOf(one)
        return { identity, name, number, role: roleOf(one.admin), isOwn: device.groups.isOwn(one.id) }
      })
      return { ...groupOf(device, found), members }
    },
    async createGroup({ name, numbers }) {
      const { socket } = through()
      const people = [...(await reached(socket, numbers)).values()]
      if (people.length === 0) throw sendFailure('refused', NOBODY_THERE)
      return { key: (await socket.groupCreate(name, people)).id }
    },
    changeGroup: change,
  }
  const failing =
    <A, R>(ask: (about: A) => Promise<R>) =>
    (about: A): Promise<R> =>
      ask(about).catch((error: unknown) => {
        throw queryFailure(error)
      })
  return {
    groupList: failing(questions.groupList),
    group: failing(questions.group),
    createGroup: failing(questions.createGroup),
    changeGroup: failing(questions.changeGroup),
  }
}
