import { type GroupRole, NOBODY_THERE, NOT_ADMIN, NOT_IN_GROUP, type NumberOutcome } from '#domain/groups/tools.ts'
import { spellingsOf } from '#domain/phone/brazil.ts'
import {
  type ChannelGroup,
  type ChannelGroupMember,
  type GroupChange,
  type LocalEnd,
  sendFailure,
} from '#providers/channels/port.ts'
import { type Ctx, unit } from '#server/context.ts'
import type { Platform } from '#server/platform.ts'
import { labEvents } from '../contract.ts'
import { groupNumber } from './groups.ts'
import { labAudience, requireRoom, shownMessage } from './phones.ts'
import {
  changeOnPhone,
  findMessage,
  findPhoneOf,
  groupsOfConnection,
  insertPhone,
  lockPhone,
  removeMember,
  saveMembers,
  updateGroup,
} from './queries.ts'
import type { PhoneRow } from './rows.ts'

type Answers = NonNullable<LocalEnd['answers']>

// The company's own number is in each group of its channel, but is no phone of the laboratory.
const groupOf = (row: PhoneRow): ChannelGroup => ({
  ...{ key: row.number, name: row.name, description: row.description, role: row.is_own_admin ? 'admin' : 'member' },
  ...{ size: row.members.length + 1, onlyAdminsWrite: row.only_admins_write },
})

const OWN: ChannelGroupMember = { identity: '', name: 'Este canal', number: null, role: 'member', isOwn: true }

function membersOf(row: PhoneRow): ChannelGroupMember[] {
  const role: GroupRole = row.is_own_admin ? 'admin' : 'member'
  const others = row.members.map(
    ({ name, number, isAdmin }): ChannelGroupMember => ({
      ...{ identity: number, name, number, role: isAdmin ? 'admin' : 'member', isOwn: false },
    }),
  )
  return [{ ...OWN, role }, ...others]
}

/** Returns the group tools of virtual phones, for changes by the company's number. */
export const groupToolsOf = (
  platform: Platform,
): Pick<Answers, 'groupList' | 'group' | 'createGroup' | 'changeGroup'> => {
  const write = <T>(tenantId: number, work: (ctx: Ctx) => Promise<T>) => unit(platform, { tenantId, user: null }, work)
  return {
    async groupList({ tenantId, connectionId }) {
      return (await platform.db.read(tenantId, (db) => groupsOfConnection(db, connectionId))).map(groupOf)
    },
    async group({ tenantId, connectionId, key }) {
      const row = await platform.db.read(tenantId, (db) => findPhoneOf(db, connectionId, key))
      return row?.is_group ? { ...groupOf(row), members: membersOf(row) } : null
    },
    createGroup: ({ tenantId, connectionId, name, numbers }) =>
      write(tenantId, async (ctx) => {
        const found: PhoneRow[] = []
        for (const number of numbers) {
          const phone = await findPhoneOf(ctx.db, connectionId, number)
          if (phone && !phone.is_group) found.push(phone)
        }
        if (found.length === 0) throw sendFailure('refused', NOBODY_THERE)
        await requireRoom(ctx).catch(() => {
          throw sendFailure('refused', 'O laboratório está cheio: exclua um telefone ou grupo antes.')
        })
        const key = groupNumber(ctx.newId())
        const id = await insertPhone(ctx.db, { connectionId, name, number: key, isGroup: true })
        await updateGroup(ctx.db, id, { is_own_admin: true })
        const ids = [...new Set(found.map((phone) => phone.id))]
        await saveMembers(
          ctx.db,
          id,
          ids.map((phoneId) => ({ phoneId, isAdmin: false })),
        )
        ctx.emit(labEvents.changed, { phoneId: id }, labAudience)
        return { key }
      }),
    changeGroup: ({ tenantId, connectionId, key, change }) =>
      write(tenantId, async (ctx) => {
        const known = await findPhoneOf(ctx.db, connectionId, key)
        const group = known && (await lockPhone(ctx.db, known.id))
        if (!group?.is_group) throw sendFailure('refused', NOT_IN_GROUP)
        if (!group.is_own_admin) throw sendFailure('refused', NOT_ADMIN)
        const outcomes = await apply(ctx, group, change)
        ctx.emit(labEvents.changed, { phoneId: group.id }, labAudience)
        return outcomes
      }),
  }
}

async function apply(ctx: Ctx, group: PhoneRow, change: GroupChange): Promise<readonly NumberOutcome[]> {
  if (change.type === 'title') await updateGroup(ctx.db, group.id, { name: change.title })
  if (change.type === 'description') await updateGroup(ctx.db, group.id, { description: change.description })
  if (change.type === 'adminsOnly') await updateGroup(ctx.db, group.id, { only_admins_write: change.isOn })
  if (change.type === 'message') await takeBack(ctx, group.id, change.providerId)
  if (change.type !== 'members') return []
  const outcomes: NumberOutcome[] = []
  for (const number of change.whom)
    outcomes.push({ number, code: await changeMember(ctx, group, change.change, number) })
  return outcomes
}

async function takeBack(ctx: Ctx, groupId: number, id: string): Promise<void> {
  if (!(await changeOnPhone(ctx.db, groupId, id, { is_deleted: true }))) return
  const row = await findMessage(ctx.db, groupId, id)
  if (row) ctx.emit(labEvents.message, shownMessage(ctx.platform, ctx.tenantId, row), labAudience)
}

/** Changes one member; returns the result's status code. */
async function changeMember(
  ctx: Ctx,
  group: PhoneRow,
  change: Extract<GroupChange, { type: 'members' }>['change'],
  number: string,
): Promise<number> {
  const member = group.members.find((one) => spellingsOf(number).includes(one.number))
  if (change === 'add') {
    if (member) return 409
    const phone = await findPhoneOf(ctx.db, group.connection_id, number)
    if (!phone || phone.is_group) return 404
    await saveMembers(ctx.db, group.id, [{ phoneId: phone.id, isAdmin: false }])
    return 200
  }
  if (!member) return 404
  if (change === 'remove') await removeMember(ctx.db, group.id, member.id)
  else await saveMembers(ctx.db, group.id, [{ phoneId: member.id, isAdmin: change === 'promote' }])
  return 200
}
