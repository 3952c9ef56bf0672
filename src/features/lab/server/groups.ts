import type { z } from 'zod'
import { firstOf, present } from '#domain/present.ts'
import { appendEvents } from '#features/ledger/server/ingest/index.ts'
import type { Input } from '#kit/contract.ts'
import { fail, required } from '#kit/errors.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { GroupMember, GroupUpdate } from '#providers/channels/port.ts'
import { type Ctx, unit } from '#server/context.ts'
import { storeUpload } from '#server/files/store.ts'
import type { SlowCtx } from '#server/http/route.ts'
import type { StoredFile } from '#server/storage.ts'
import { type LabPhone, type lab, labEvents } from '../contract.ts'
import type { groupForm } from '../forms.ts'
import { orderWorld } from './orders.ts'
import { labAudience, phoneOr404, requireRoom, shownPhone } from './phones.ts'
import { findPhone, groupsOf, insertPhone, lockPhone, removeMember, saveMembers, updateGroup } from './queries.ts'
import type { PhoneRow } from './rows.ts'

type MemberChange = Input<typeof lab.changeMember>['body']

/** Creates a group of phones on one channel, with the first one as its admin. The product is notified in the same commit. */
export async function addGroup(ctx: Ctx, { name, phoneIds }: z.output<typeof groupForm>): Promise<LabPhone> {
  await requireRoom(ctx)
  const phones: PhoneRow[] = []
  for (const id of new Set(phoneIds)) phones.push(await phoneOr404(ctx.db, id))
  const { connection_id: connectionId, type } = firstOf(phones)
  if (phones.some((phone) => phone.is_group || phone.connection_id !== connectionId))
    fail('ERR_VALIDATION', { phoneIds: 'Escolha telefones do mesmo canal.' })
  if (!capabilitiesOf(type).groups) fail('ERR_CHANNEL_CANNOT')
  const id = await insertPhone(ctx.db, { connectionId, name, number: groupNumber(ctx.newId()), isGroup: true })
  await saveMembers(
    ctx.db,
    id,
    phones.map((phone, index) => ({ phoneId: phone.id, isAdmin: index === 0 })),
  )
  const group = required(await findPhone(ctx.db, id), 'ERR_NOT_FOUND')
  await publish(ctx, group, [
    { ...about(ctx, group), type: 'profile', name },
    { ...about(ctx, group), type: 'participants', change: 'all', members: group.members.map(toMember) },
  ])
  return shownPhone(ctx, group)
}

type GroupEdit = {
  readonly name?: string | undefined
  readonly by?: number | undefined
  readonly file?: StoredFile | undefined
  readonly isOwnAdmin?: boolean | undefined
}

/** Changes name, picture or settings of a group, or makes the company's number an admin. */
export async function changeGroup(ctx: SlowCtx, id: number, change: GroupEdit): Promise<LabPhone> {
  const group = await unit(ctx.platform, ctx, (tx) => writeGroup(tx, id, change))
  notifyWorld(ctx, group, change.by, change.file?.path)
  return group
}

/** Notifies the local WhatsApp of a changed group, with the author. */
function notifyWorld({ platform, tenantId }: SlowCtx, group: LabPhone, doer: number | undefined, path?: string): void {
  const { id: phoneId, connectionId, isLinked, members } = group
  const by = members.find((member) => member.phoneId === doer)?.number ?? null
  if (isLinked) orderWorld(platform, { tenantId, connectionId }, { act: 'group', phoneId, by, path })
}

async function writeGroup(
  ctx: Ctx,
  id: number,
  { name, by, file, isOwnAdmin = undefined }: GroupEdit,
): Promise<LabPhone> {
  const group = await lockGroup(ctx, id)
  if (file && !file.mime.startsWith('image/')) fail('ERR_FILE_TYPE')
  const isRenamed = name !== undefined && name !== group.name
  const isRoleNew = isOwnAdmin !== undefined && isOwnAdmin !== group.is_own_admin
  if (!isRenamed && !isRoleNew && !file) return shownPhone(ctx, group)
  if (isRenamed || isRoleNew)
    await updateGroup(ctx.db, id, {
      ...(isRenamed ? { name } : {}),
      ...(isRoleNew ? { is_own_admin: isOwnAdmin } : {}),
    })
  if (!isRenamed && !file) {
    ctx.emit(labEvents.changed, { phoneId: id }, labAudience)
    return shownPhone(ctx, required(await findPhone(ctx.db, id), 'ERR_NOT_FOUND'))
  }
  const fileId = file ? await storeUpload(ctx, file, {}) : undefined
  const changed = { ...(isRenamed ? { name } : {}), ...(fileId ? { fileId } : {}) }
  await publish(ctx, group, [{ ...about(ctx, group, by), type: 'profile', ...changed }])
  return shownPhone(ctx, required(await findPhone(ctx.db, id), 'ERR_NOT_FOUND'))
}

/** Adds, removes, promotes or demotes a member of a group; idempotent. */
export async function changeMember(ctx: SlowCtx, id: number, change: MemberChange): Promise<LabPhone> {
  const group = await unit(ctx.platform, ctx, (tx) => writeMember(tx, id, change))
  notifyWorld(ctx, group, change.by)
  return group
}

async function writeMember(ctx: Ctx, id: number, { phoneId, change, by }: MemberChange): Promise<LabPhone> {
  const group = await lockGroup(ctx, id)
  const before = group.members.find((member) => member.id === phoneId)
  if (!before && change !== 'add') fail('ERR_VALIDATION', { phoneId: 'Este telefone não está no grupo.' })
  const phone = await phoneOr404(ctx.db, phoneId)
  if (phone.is_group || phone.connection_id !== group.connection_id)
    fail('ERR_VALIDATION', { phoneId: 'Escolha um telefone do mesmo canal.' })
  const isAdmin = change === 'promote'
  const isSame = change === 'add' ? before !== undefined : change !== 'remove' && present(before).isAdmin === isAdmin
  if (isSame) return shownPhone(ctx, group)
  if (change === 'remove') await removeMember(ctx.db, id, phoneId)
  else await saveMembers(ctx.db, id, [{ phoneId, isAdmin }])
  const members = [toMember({ name: phone.name, number: phone.number, isAdmin })]
  await publish(ctx, group, [{ ...about(ctx, group, by ?? phoneId), type: 'participants', change, members }])
  return shownPhone(ctx, required(await findPhone(ctx.db, id), 'ERR_NOT_FOUND'))
}

/** Removes a phone from its groups, before its deletion. */
export async function leaveGroups(ctx: Ctx, phoneId: number): Promise<void> {
  for (const { id } of await groupsOf(ctx.db, phoneId)) await writeMember(ctx, id, { phoneId, change: 'remove' })
}

async function lockGroup(ctx: Ctx, id: number): Promise<PhoneRow> {
  const group = required(await lockPhone(ctx.db, id), 'ERR_NOT_FOUND')
  return group.is_group ? group : fail('ERR_NOT_FOUND')
}

/** Converts a member of a group for the channel. */
export const toMember = ({ name, number, isAdmin }: Omit<PhoneRow['members'][number], 'id'>): GroupMember => ({
  ...{ identity: number, name, number, isAdmin },
})

const about = (ctx: Ctx, group: PhoneRow, by?: number) => {
  const doer = group.members.find(({ id }) => id === by)?.number
  return {
    ...{ dedupeKey: ctx.newId(), conversationKey: group.number, timestamp: ctx.now.getTime() },
    ...(doer === undefined ? {} : { by: doer }),
  }
}

// For a linked number, its own WhatsApp reports the change once made there.
async function publish(ctx: Ctx, group: PhoneRow, events: readonly GroupUpdate[]): Promise<void> {
  if (!group.is_linked) await appendEvents(ctx, group.connection_id, events)
  ctx.emit(labEvents.changed, { phoneId: group.id }, labAudience)
}

/** Returns a group's number as the network assigns it; no phone has such a number. */
export const groupNumber = (id: string): string =>
  `120363${String(BigInt(`0x${id.replaceAll('-', '')}`) % 10n ** 12n).padStart(12, '0')}`
