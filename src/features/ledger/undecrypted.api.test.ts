import { beforeAll, expect, test } from 'vitest'
import { messages } from '#features/messages/contract.ts'
import type { ProviderEvent } from '#providers/channels/port.ts'
import { actEvent, actingCompany } from '#test/acting-company.ts'
import { textEvent } from '#test/peers/channel.ts'
import { call, withProduct } from '#test/server.ts'

const product = withProduct()
let on: Awaited<ReturnType<typeof actingCompany>>
beforeAll(async () => {
  on = await actingCompany(product())
})

type Spoken = Extract<ProviderEvent, { type: 'message' }>
const waiting = (from: string, id: string): Spoken => {
  const event = textEvent({ from, id, body: 'Aguardando esta mensagem' })
  return { ...event, dedupeKey: `${id} undecrypted`, message: { ...event.message, type: 'undecrypted' } }
}

test('what could not be read stands in its place once it can: nothing is counted, found or answered twice', async () => {
  const { from, ticketId } = await on.conversation()
  const unread = async () => ((await on.ticketRow(ticketId)) as unknown as { unread_messages: number }).unread_messages
  const before = await unread()
  await on.hear(waiting(from, `a-${from}`))
  const stored = await on.byProvider(`a-${from}`)
  expect(stored).toMatchObject({ media_type: 'undecrypted', body: 'Aguardando esta mensagem' })
  const read = textEvent({ from, id: `a-${from}`, body: 'Quero duas caixas' })
  for (let twice = 0; twice < 2; twice++) await on.hear(read)
  await on.hear(waiting(from, `a-${from}`))
  expect(await on.byProvider(`a-${from}`)).toMatchObject({
    ...{ id: stored!.id, seq: stored!.seq, media_type: 'text', body: 'Quero duas caixas', edition: null },
  })
  expect(await on.ticketRow(ticketId)).toMatchObject({ last_message: 'Quero duas caixas' })
  expect(await unread()).toBe(before + 1)

  // One batch may contain both; a message edited before it could be decrypted stays edited.
  await on.hear(waiting(from, `b-${from}`), textEvent({ from, id: `b-${from}`, body: 'De uma vez' }))
  expect(await on.byProvider(`b-${from}`)).toMatchObject({ media_type: 'text', body: 'De uma vez' })
  await on.hear(waiting(from, `c-${from}`))
  await on.hear(actEvent(from, `c-${from}`, { type: 'edit', body: 'Três' }))
  await on.hear(textEvent({ from, id: `c-${from}`, body: 'Trêz' }))
  expect(await on.byProvider(`c-${from}`)).toMatchObject({ media_type: 'text', body: 'Três', edition: 'Trêz' })
  const { body } = await call(product(), messages.list, on.admin.token, { params: { ticketId } })
  const shown = body.messages.map((one) => one.body)
  expect(shown.slice(-3)).toEqual(['Quero duas caixas', 'De uma vez', 'Três'])
})

test('nobody else takes its place: neither who of a group knows its id, nor somebody in another conversation', async () => {
  const [one, other] = [await on.conversation(), await on.conversation()]
  const id = `d-${one.from}`
  await on.hear(waiting(one.from, id))
  await on.hear({ ...textEvent({ from: other.from, id, body: 'Intruso' }), dedupeKey: 'x' })
  expect(await on.byProvider(id)).toMatchObject({ media_type: 'undecrypted' })
  await on.hear(textEvent({ from: one.from, id, body: 'Meu' }))
  expect(await on.byProvider(id)).toMatchObject({ body: 'Meu' })

  const group = '120363000000000009@g.us'
  const member = (identity: string) => ({ isGroup: true, sender: { identity, name: identity, number: null } }) as const
  await on.hear({ ...waiting(group, 'g'), ...member('1@lid') })
  await on.hear({ ...textEvent({ from: group, id: 'g', body: 'Intruso' }), ...member('2@lid'), dedupeKey: 'y' })
  expect(await on.byProvider('g')).toMatchObject({ media_type: 'undecrypted' })
  await on.hear({ ...textEvent({ from: group, id: 'g', body: 'Meu' }), ...member('1@lid') })
  expect(await on.byProvider('g')).toMatchObject({ media_type: 'text', body: 'Meu' })
})
