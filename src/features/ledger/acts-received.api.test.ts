import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { messages } from '#features/messages/contract.ts'
import { type MessageAct, type ProviderEvent, sendFailure } from '#providers/channels/port.ts'
import { actEvent, actingCompany } from '#test/acting-company.ts'
import { textEvent } from '#test/peers/channel.ts'
import { withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { removeWaitingActs } from './server/acts/queries.ts'

const product = withProduct()
let on: Awaited<ReturnType<typeof actingCompany>>
beforeAll(async () => {
  on = await actingCompany(product())
})

describe('what the contact does', () => {
  test('an act that comes before its message waits for it, for seven days', async () => {
    const { from, ticketId } = await on.conversation()
    const id = `depois-${from}`
    await on.hear(actEvent(from, id, { type: 'edit', body: 'Corrigido' }))
    await on.hear(actEvent(from, `nunca-${from}`, { type: 'revoke' }))
    expect(await on.byProvider(id)).toBeUndefined()
    await on.hear(textEvent({ from, id, body: 'Corigido' }))
    const edited = (await on.byProvider(id))!
    expect(edited).toMatchObject({ body: 'Corrigido', edition: 'Corigido' })
    const steps = await product().platform.db.read(on.tenantId, (db) =>
      db.selectFrom('message_trail').select('step').where('message_id', '=', edited.id).execute(),
    )
    expect(steps.map(({ step }) => step)).toContain('edit:received')
    expect(await on.ticketRow(ticketId)).toMatchObject({ last_message: 'Corrigido' })
    const later = new Date(product().platform.now().getTime() + 1000)
    expect(await product().platform.db.asPlatform((db) => removeWaitingActs(db, later, 10, on.tenantId))).toBe(1)
  })

  test('a reaction that is faster than the answer of the send finds its message', async () => {
    const { ticketId, from } = await on.conversation()
    on.channel().behave(async (message) => {
      await on.hear(actEvent(from, `lento-${message.messageId}`, { type: 'reaction', emoji: '👏' }))
      return { providerId: `lento-${message.messageId}` }
    })
    const id = await on.say(ticketId, 'Pronto')
    expect(await on.rowOf(id)).toMatchObject({ reaction: '👏', status: 'sent' })
    on.calm()
  })

  test('acts of strangers, on notes, or on ours are passed over', async () => {
    const { ticketId, from } = await on.conversation()
    const id = await on.say(ticketId, 'Nossa')
    const { provider_id } = await on.rowOf(id)
    await on.hear(
      actEvent(from, provider_id!, { type: 'edit', body: 'Deles' }),
      actEvent(from, provider_id!, { type: 'revoke' }),
      actEvent(from, provider_id!, { type: 'reaction', emoji: '👍' }),
    )
    expect(await on.rowOf(id)).toMatchObject({ body: 'Nossa', is_deleted: false, reaction: '👍' })
  })

  test('what the company does on its phone is done: to what it said there and here, and a reaction; what is done here since stays', async () => {
    const { ticketId, from, theirs } = await on.conversation()
    const here = await on.say(ticketId, 'Custa 10')
    const phone = (providerId: string, what: Parameters<typeof actEvent>[2]) =>
      on.hear({ ...actEvent(from, providerId, what), fromMe: true } as ProviderEvent)
    const { provider_id } = await on.rowOf(here)
    await on.hear({ ...textEvent({ from, id: `eco-${from}`, body: 'Do balcao' }), type: 'echo' } as ProviderEvent)
    await phone(`eco-${from}`, { type: 'edit', body: 'Do balcão' })
    expect(await on.byProvider(`eco-${from}`)).toMatchObject({ body: 'Do balcão', edition: 'Do balcao' })
    await phone(`oi-${from}`, { type: 'reaction', emoji: '👍' })
    expect(await on.rowOf(theirs)).toMatchObject({ reaction_from_me: '👍', reaction: null })
    await phone(`oi-${from}`, { type: 'reaction', emoji: null })
    expect(await on.rowOf(theirs)).toMatchObject({ reaction_from_me: null })
    await on.done(await on.ask(messages.edit, { body: { messageId: here, body: 'Custa 12' } }))
    await on.ended(here)
    const before = { ...actEvent(from, provider_id!, { type: 'edit', body: 'Custa 11' }), timestamp: 1, fromMe: true }
    await on.hear(before as ProviderEvent)
    expect(await on.rowOf(here)).toMatchObject({ body: 'Custa 12', is_deleted: false })
    await phone(provider_id!, { type: 'revoke' })
    expect(await on.rowOf(here)).toMatchObject({ is_deleted: true })
    expect(await on.trailHas(here, 'revoke:phone')).toBe(true)
  })

  test('twice, late and in any order, the message ends as a plain model says', async () => {
    type Told = { at: number; key: string } & (
      | { type: 'edit'; body: string }
      | { type: 'revoke' }
      | { type: 'reaction'; emoji: string | null }
    )
    const told = fc.record({
      at: fc.integer({ min: 1, max: 3 }),
      what: fc.constantFrom('edit', 'edit', 'reaction', 'revoke'),
      emoji: fc.option(fc.constantFrom('👍', '😂')),
    })
    const rounds = fc.tuple(fc.array(told, { maxLength: 5 }), fc.infiniteStream(fc.nat()))
    await fc.assert(
      fc.asyncProperty(rounds, async ([list, chance]) => {
        const { from } = await on.conversation()
        const id = `alvo-${from}`
        const acts = list.map(({ at, what, emoji }, n): Told => {
          const base = { at, key: `${from}:${n}` }
          if (what === 'edit') return { ...base, type: 'edit', body: `versão ${n}` }
          return what === 'revoke' ? { ...base, type: 'revoke' } : { ...base, type: 'reaction', emoji }
        })
        const pick = (below: number) => chance.next().value! % below
        const deliveries: ProviderEvent[] = [textEvent({ from, id, body: 'primeira', at: 1_760_000_000_000 })]
        for (const one of [...acts, ...acts]) {
          const { at, key, ...what } = one
          deliveries.splice(pick(deliveries.length + 1), 0, {
            ...what,
            dedupeKey: key,
            conversationKey: from,
            providerId: id,
            timestamp: 1_760_000_000_000 + at,
          })
        }
        // In a random number of batches.
        while (deliveries.length > 0) await on.hear(...deliveries.splice(0, 1 + pick(4)))
        const model = { body: 'primeira', reaction: null as string | null, is_deleted: false }
        for (const one of acts.toSorted((a, b) => a.at - b.at || (a.key < b.key ? -1 : 1))) {
          if (one.type === 'edit') model.body = one.body
          if (one.type === 'reaction') model.reaction = one.emoji
          if (one.type === 'revoke') model.is_deleted = true
        }
        expect(await on.byProvider(id)).toMatchObject(model)
      }),
      { numRuns: 12 },
    )
  })

  test('the team’s acts in any order, refused and lost ones among them, leave phone and database equal', async () => {
    const { ticketId, from } = await on.conversation()
    const phone = new Map<string, { body: string; emoji: string | null; isDeleted: boolean }>()
    let mood: 'fine' | 'refused' | 'lost' = 'fine'
    on.channel().behaveActs(async (action) => {
      if (mood === 'refused') throw sendFailure('refused', 'não')
      const on = phone.get(action.providerId)!
      if (action.type === 'edit') on.body = action.body
      if (action.type === 'react') on.emoji = action.emoji
      if (action.type === 'revoke') on.isDeleted = true
      if (mood === 'lost') {
        mood = 'fine'
        throw sendFailure('unknown', 'sem resposta')
      }
    })
    const step = fc.record({
      what: fc.constantFrom('edit', 'react', 'react', 'remove'),
      mood: fc.constantFrom('fine', 'fine', 'refused', 'lost'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 5 }), async (steps) => {
        const id = await on.say(ticketId, 'v0')
        phone.set((await on.rowOf(id)).provider_id!, { body: 'v0', emoji: null, isDeleted: false })
        for (const [n, { what, mood: next }] of steps.entries()) {
          mood = next
          if (what === 'edit') await on.ask(messages.edit, { body: { messageId: id, body: `v${n + 1}` } })
          if (what === 'react')
            await on.ask(messages.react, { body: { messageId: id, ticketId, reaction: n % 2 ? '' : '👍' } })
          if (what === 'remove') await on.ask(messages.remove, { body: { id } })
          await until(async () => {
            if ((await on.open(id)).every(({ status }) => status === 'failed')) return true
            if ((await on.open(id)).some(({ status, attempts }) => status === 'pending' && attempts > 0))
              await on.retryNow(from)
            return false
          })
        }
        const row = await on.rowOf(id)
        expect({ body: row.body, emoji: row.reaction_from_me, isDeleted: row.is_deleted }).toEqual(
          phone.get(row.provider_id!),
        )
      }),
      { numRuns: 8 },
    )
    on.calm()
  })
})

describe('who may do it', () => {
  const person = (identity: string) => ({ identity, name: identity, number: identity.includes('@') ? null : identity })
  type By = NonNullable<MessageAct['author']>
  const did = (group: string, id: string, by: By | null, what: Parameters<typeof actEvent>[2]): ProviderEvent => ({
    ...actEvent(group, id, what),
    ...(by ? { author: by } : {}),
  })

  test('in a group the author, and who runs it; also of what comes before its message', async () => {
    const group = '120363000000000001@g.us'
    const [ana, bia, chefe] = [person('5511900000001'), person('20@lid'), { ...person('30@lid'), isAdmin: true }]
    const said = (id: string, body: string): ProviderEvent => ({
      ...textEvent({ from: group, id, body }),
      ...{ isGroup: true, sender: ana },
    })
    await on.hear(...[said('g1', 'Às 10'), said('g2', 'Até lá')], {
      ...{ type: 'participants', change: 'all', dedupeKey: 'g all', conversationKey: group, timestamp: Date.now() },
      members: [ana, bia, chefe],
    })
    for (const by of [bia, null])
      await on.hear(did(group, 'g1', by, { type: 'edit', body: 'Às 3' }), did(group, 'g1', by, { type: 'revoke' }))
    await on.hear(did(group, 'g1', chefe, { type: 'edit', body: 'Às 4' }))
    expect(await on.byProvider('g1')).toMatchObject({ body: 'Às 10', edition: null, is_deleted: false })
    await on.hear(did(group, 'g1', { ...person('10@lid'), number: ana.number }, { type: 'edit', body: 'Às 11' }))
    expect(await on.byProvider('g1')).toMatchObject({ body: 'Às 11', edition: 'Às 10' })
    await on.hear(did(group, 'g1', chefe, { type: 'revoke' }), did(group, 'g2', bia, { type: 'reaction', emoji: '👍' }))
    expect(await on.byProvider('g1')).toMatchObject({ is_deleted: true })
    expect(await on.byProvider('g2')).toMatchObject({ reaction: '👍', is_deleted: false })
    await on.hear(did(group, 'g2', ana, { type: 'reaction', emoji: null }))
    expect(await on.byProvider('g2')).toMatchObject({ reaction: '👍' })

    await on.hear(did(group, 'g3', bia, { type: 'revoke' }), did(group, 'g3', bia, { type: 'edit', body: 'Não' }))
    await on.hear(did(group, 'g4', ana, { type: 'edit', body: 'Sim!' }))
    await on.hear(said('g3', 'Sim'), said('g4', 'Sim'))
    expect(await on.byProvider('g3')).toMatchObject({ body: 'Sim', is_deleted: false })
    expect(await on.byProvider('g4')).toMatchObject({ body: 'Sim!' })
  })

  test('what happens to a group is told in the order in which it happened, also where all of it comes at once', async () => {
    const conversationKey = '120363000000000002@g.us'
    const [ana, bia] = [person('5511900000003'), person('5511900000004')]
    let n = 0
    const about = () => ({ dedupeKey: `ordem ${n++}`, conversationKey, timestamp: Date.now() })
    const changed = (change: 'all' | 'add' | 'remove', ...members: (typeof ana)[]): ProviderEvent => ({
      ...{ type: 'participants', change, members, ...about() },
    })
    await on.hear(
      { ...textEvent({ from: conversationKey, body: 'Oi' }), isGroup: true, sender: ana },
      changed('all', ana),
    )
    await on.hear(
      changed('add', bia),
      { type: 'profile', name: 'Condomínio Ipê', ...about() },
      changed('remove', bia),
      { type: 'profile', name: 'Condomínio', ...about() },
    )
    const told = await on.read<{ data: { change: string } }[]>((db) =>
      db
        .selectFrom('messages')
        .select('data')
        .where('conversation_key', '=', conversationKey)
        .where('media_type', '=', 'group_event')
        .orderBy('seq')
        .execute(),
    )
    expect(told.map(({ data }) => data.change)).toEqual(['add', 'subject', 'remove', 'subject'])
  })

  test('nobody from another conversation, whatever id they name; the same person by another address', async () => {
    const { from } = await on.conversation()
    const other = await on.conversation()
    const id = `oi-${from}`
    await on.hear(
      did(other.from, id, null, { type: 'edit', body: 'Outro' }),
      did(other.from, id, person(from), { type: 'revoke' }),
      did(other.from, id, null, { type: 'reaction', emoji: '👎' }),
    )
    expect(await on.byProvider(id)).toMatchObject({ body: 'Oi', is_deleted: false, reaction: null })
    // Without the ninth digit it is the same number.
    await on.hear(did(from.replace(/^(55..)9/, '$1'), id, null, { type: 'edit', body: 'Olá' }))
    expect(await on.byProvider(id)).toMatchObject({ body: 'Olá' })
    // The contact showed no number when writing, but does when editing.
    const lid = `9${from}@lid`
    await on.hear({ ...textEvent({ from: lid, id: lid, body: 'Oi' }), sender: person(lid) } as ProviderEvent)
    const by = { ...person(`55119${other.from.slice(-8)}`), alias: lid }
    await on.hear(did(by.identity, lid, by, { type: 'edit', body: 'Sou eu' }))
    expect(await on.byProvider(lid)).toMatchObject({ body: 'Sou eu' })
    // After a merge their contacts are one person.
    const [one, two] = await on.read<{ id: number }[]>((db) =>
      db
        .selectFrom('messages')
        .select('contact_id as id')
        .where('provider_id', 'in', [id, `oi-${other.from}`])
        .orderBy('seq')
        .execute(),
    )
    await product().platform.db.write(on.tenantId, (db) =>
      db.updateTable('contacts').set({ merged_into: one!.id }).where('id', '=', two!.id).execute(),
    )
    await on.hear(did(other.from, id, null, { type: 'reaction', emoji: '👍' }))
    expect(await on.byProvider(id)).toMatchObject({ reaction: '👍' })
  })

  test('where the channel does not say in which conversation, the message is found by its id, in no group, and edited by who wrote it', async () => {
    const edit = (providerId: string, body: string) => did('', providerId, null, { type: 'edit', body })
    const { from, ticketId } = await on.conversation()
    const ours = await on.say(ticketId, 'Nossa')
    const { provider_id } = await on.rowOf(ours)
    const late = `tarde-${from}`
    await on.hear(edit(`oi-${from}`, 'Olá'), edit(late, 'Depois'), edit(provider_id!, 'Deles'))
    await on.hear(textEvent({ from, id: late, body: 'Antes' }))
    expect(await on.byProvider(`oi-${from}`)).toMatchObject({ body: 'Olá', edition: 'Oi' })
    expect(await on.byProvider(late)).toMatchObject({ body: 'Depois', edition: 'Antes' })
    expect(await on.rowOf(ours)).toMatchObject({ body: 'Nossa', edition: null })

    const group = '120363000000000003@g.us'
    const sender = person('5511900000005')
    await on.hear({ ...textEvent({ from: group, id: 'sem-lugar', body: 'Sim' }), isGroup: true, sender })
    await on.hear(did('', 'sem-lugar', sender, { type: 'edit', body: 'Não' }))
    expect(await on.byProvider('sem-lugar')).toMatchObject({ body: 'Sim', edition: null })
  })
})

test('acts on what is hidden, foreign, gone or in another ticket find nothing', async () => {
  const { theirs } = await on.conversation()
  const other = await on.conversation()
  const foreign = await on.m.tenant()
  const stranger = await on.m.token(await on.m.user(foreign, { profile: 'admin' }))
  const react = { messageId: theirs, ticketId: other.ticketId, reaction: '👍' }
  expect((await on.ask(messages.react, { body: react })).body.error).toBe('ERR_FETCH_WAPP_MSG')
  for (const [operation, input] of [
    [messages.edit, { body: { messageId: theirs, body: 'x' } }],
    [messages.remove, { body: { id: theirs } }],
    [messages.change, { params: { id: theirs }, body: { body: 'x' } }],
    [messages.forward, { body: { messages: [theirs], contact: 1 } }],
  ] as const)
    expect((await on.ask(operation, input, stranger)).body.error).toBe('ERR_FETCH_WAPP_MSG')
  expect((await on.ask(messages.react, { body: { ...react, reaction: 'ok' } })).status).toBe(404)
})

test('an act that says nothing sensible is refused where it is asked', async () => {
  const { theirs, ticketId } = await on.conversation()
  const react = await on.ask(messages.react, { body: { messageId: theirs, ticketId, reaction: 'ok' } })
  expect(react.body).toMatchObject({ error: 'ERR_VALIDATION', details: { reaction: 'Escolha um emoji.' } })
  const long = await on.ask(messages.edit, {
    body: { messageId: await on.say(ticketId, 'Oi'), body: 'a'.repeat(5000) },
  })
  expect([long.status, long.body.error]).toEqual([422, 'ERR_MESSAGE_TOO_LONG'])
})
