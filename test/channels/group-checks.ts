import { expect } from 'vitest'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import { messages } from '#features/messages/contract.ts'
import { groups } from '#features/messages/groups-contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import type { Operation } from '#kit/contract.ts'
import type { ChannelQuestions, GroupChange } from '#providers/channels/port.ts'
import { call } from '#test/server.ts'
import { until } from '#test/until.ts'
import type { ContactAct, GroupEnd } from './contact-end.ts'
import { rowOf } from './talk.ts'
import type { World } from './world.ts'

const patient = (world: World, work: () => Promise<boolean>) => until(work, world.patienceMs)

// A group in which the contact has written, in the administrator's hands.
async function openGroup(world: World) {
  const { product, tenantId, token, end, adminId } = world
  const group = await end.openGroup!()
  await group.write('Bom dia')
  const find = () =>
    product.platform.db.read(tenantId, (db) =>
      db.selectFrom('tickets').select('id').where('conversation_key', '=', group.conversationKey).executeTakeFirst(),
    )
  await patient(world, async () => (await find()) !== undefined)
  const { id: ticketId } = (await find())!
  await call(product, tickets.update, token, { params: { id: ticketId }, body: { status: 'open', userId: adminId } })
  const thread = async () => (await call(product, messages.list, token, { params: { ticketId } })).body.messages
  return { group, ticketId, thread }
}

/** Checks that a group is one conversation with known writers and members. */
export async function groupCheck(world: World): Promise<void> {
  const { group, ticketId, thread } = await openGroup(world)
  expect(await thread()).toMatchObject([{ body: 'Bom dia', sender: { name: group.members[0] } }])
  await authorsCheck(world, group, thread)
  const { product, token } = world
  const { body } = await call(product, groups.participants, token, { body: { ticketId } })
  const { participants } = body
  expect(participants.map(({ name }) => name).sort()).toEqual(group.members.toSorted())
  const detail = await call(product, tickets.get, token, { params: { id: ticketId } })
  expect(detail.body).toMatchObject({ isGroup: true, name: group.name, capabilities: { groups: true } })
}

// Checks that only its author can change a message, whatever another member's device claims.
async function authorsCheck(world: World, group: GroupEnd, thread: () => Promise<MessageRow[]>): Promise<void> {
  const { editMinutes, revokeHours } = world.config.capabilities
  if (!group.act || editMinutes === null || revokeHours === null) return
  const [author, other] = group.members as [string, string]
  const [{ id }] = (await thread()) as [MessageRow]
  const { provider_id } = await rowOf(world, id)
  const act = (member: string, what: ContactAct) => group.act!(member, provider_id!, what)
  await act(other, { act: 'edit', body: 'Chave Pix: 123' })
  await act(other, { act: 'revoke' })
  await act(author, { act: 'edit', body: 'Bom dia!' })
  await patient(world, async () => (await thread())[0]!.edition !== null)
  expect((await thread())[0]).toMatchObject({ body: 'Bom dia!', edition: 'Bom dia', isDeleted: false })
  await act(author, { act: 'revoke' })
  await patient(world, async () => (await thread())[0]!.isDeleted)
}

/** Members are mentioned by both sides, and all of them without a word. */
export async function mentionCheck(world: World): Promise<void> {
  const { group, ticketId, thread } = await openGroup(world)
  const other = group.members[1]!
  await group.write(`Veja, @${other}`)
  await patient(world, async () => (await thread()).some(({ body }) => body === `Veja, @${other}`))
  expect((await thread()).at(-1)).toMatchObject({ mentions: { people: [other] } })
  const send = async (operation: Operation, about: object) =>
    expect(
      (
        await call(world.product, operation as typeof groups.ghost, world.token, {
          body: { ticketId, ...about } as never,
        })
      ).status,
    ).toBe(200)
  const members = await call(world.product, groups.participants, world.token, { body: { ticketId } })
  const { participants } = members.body
  await send(groups.mention, {
    body: 'Pode?',
    participants: [participants.find(({ name }) => name === other)!.identity],
  })
  await send(groups.ghost, { body: 'Para todos' })
  await patient(world, async () => (await group.arrived()).length === 2)
  expect(await group.arrived()).toEqual([
    { body: `@${other} Pode?`, mentions: [other], everyone: false },
    { body: 'Para todos', mentions: [], everyone: true },
  ])
}

type Ask = <Q extends keyof ChannelQuestions>(
  world: World,
  question: Q,
  about: ChannelQuestions[Q]['about'],
) => Promise<ChannelQuestions[Q]['answer']>

/** Checks that groups are listed with our role and changed where we are an administrator; elsewhere the change is refused. */
export async function groupToolsCheck(world: World, ask: Ask): Promise<void> {
  const { group, thread } = await openGroup(world)
  const { tenantId, end } = world
  const of = { tenantId, connectionId: end.connectionId }
  const key = group.conversationKey
  const change = (what: GroupChange) => ask(world, 'changeGroup', { ...of, key, change: what })
  const found = async () => (await ask(world, 'groupList', of)).find((one) => one.key === key)
  const member = async (name: string) =>
    (await ask(world, 'group', { ...of, key }))?.members.find((one) => one.name === name || one.number === name)
  expect(await found()).toMatchObject({ name: group.name, description: '', role: 'member', onlyAdminsWrite: false })
  await expect(change({ type: 'title', title: 'Não pode' })).rejects.toMatchObject({ kind: 'refused' })
  await group.promoteUs!()
  await patient(world, async () => (await found())?.role === 'admin')
  expect(await change({ type: 'title', title: 'Outro nome' })).toEqual([])
  await change({ type: 'description', description: 'Primeira' })
  await change({ type: 'description', description: 'Regras da casa' })
  await change({ type: 'adminsOnly', isOn: true })
  expect(await found()).toMatchObject({ name: 'Outro nome', description: 'Regras da casa', onlyAdminsWrite: true })
  await change({ type: 'adminsOnly', isOn: false })
  await change({ type: 'description', description: '' })
  expect(await found()).toMatchObject({ description: '', onlyAdminsWrite: false })
  const members = (await ask(world, 'group', { ...of, key }))!.members
  expect(members.filter(({ isOwn }) => isOwn)).toHaveLength(1)
  const { number } = members.find((one) => !one.isOwn && one.role === 'member')!
  const whom = [number!, '5511900000000']
  const roleOf = async () => (await member(number!))?.role
  expect(await change({ type: 'members', change: 'promote', whom })).toEqual([
    { number, code: 200 },
    { number: '5511900000000', code: 404 },
  ])
  expect(await roleOf()).toBe('admin')
  await change({ type: 'members', change: 'demote', whom: [number!] })
  expect(await roleOf()).toBe('member')
  await change({ type: 'members', change: 'remove', whom: [number!] })
  expect(await roleOf()).toBeUndefined()
  expect(await change({ type: 'members', change: 'add', whom })).toEqual([
    { number, code: 200 },
    { number: '5511900000000', code: 404 },
  ])
  expect(await change({ type: 'members', change: 'add', whom: [number!] })).toEqual([{ number, code: 409 }])
  const [said] = await thread()
  const { provider_id } = await rowOf(world, said!.id)
  const author = members.find((one) => one.name === group.members[0] || one.number === end.knows?.number?.identity)!
  await change({ type: 'message', providerId: provider_id!, author: author.identity })
  const made = await ask(world, 'createGroup', { ...of, name: 'Feito aqui', numbers: [number!, '5511900000000'] })
  const list = await ask(world, 'groupList', of)
  expect(list.find((one) => one.key === made.key)).toMatchObject({ name: 'Feito aqui', size: 2 })
  expect(['owner', 'admin']).toContain(list.find((one) => one.key === made.key)?.role)
  await expect(
    ask(world, 'createGroup', { ...of, name: 'De ninguém', numbers: ['5511900000000'] }),
  ).rejects.toMatchObject({
    kind: 'refused',
  })
}
