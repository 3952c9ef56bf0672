import { beforeAll, describe, expect, it } from 'vitest'
import { connections } from '#features/connections/contract.ts'
import { type LabMessage, type LabPhone, lab } from '#features/lab/contract.ts'
import { groupCompany } from '#test/group-company.ts'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { type GroupJob, type GroupRule, groupJobs, groupRules, groupTools, type ToolGroup } from './contract.ts'

const product = withProduct()
let { tenantId, agent, newGroup, say, thread, talking } = {} as Awaited<ReturnType<typeof groupCompany>>
let ana: LabPhone
let bia: LabPhone
let caio: LabPhone
let whatsappId: number

beforeAll(async () => {
  const company = await groupCompany(product, ['Ana Luz', 'Bia Melo', 'Caio Reis'])
  ;({ tenantId, agent, newGroup, say, thread, talking } = company)
  ;[ana, bia, caio] = company.phones as [LabPhone, LabPhone, LabPhone]
  whatsappId = ana.connectionId
})

const ask = async (op: Parameters<typeof call>[1], about: object, token = agent.token) =>
  (await call(product(), op as typeof groupTools.list, token, about as never)) as unknown as {
    status: number
    body: Record<string, unknown> & { error?: string; details?: Record<string, string> }
  }
const refresh = async () => expect((await ask(groupTools.refresh, { body: { whatsappId } })).status).toBe(200)
const groupsOf = async (query: object = {}) => {
  const { body } = await ask(groupTools.list, { query: { whatsappId, ...query } })
  return body['groups'] as ToolGroup[]
}
const ruled = async (...phones: LabPhone[]) => {
  const group = await newGroup(`Grupo ${Math.random()}`, phones.length > 0 ? phones : [ana, bia])
  await call(product(), lab.changeGroup, agent.token, { params: { id: group.id }, body: { isOwnAdmin: true } as never })
  return group
}
/** Starts a job and waits until it has ended; answers it with its rows. */
const run = async (op: Parameters<typeof call>[1], body: object) => {
  const started = await ask(op, { body: { whatsappId, ...body } })
  expect([started.status, started.body]).toMatchObject([200, {}])
  const { id } = started.body as unknown as GroupJob
  const get = async () => (await ask(groupJobs.get, { params: { id } })).body as unknown as GroupJob
  await until(async () => (await get()).status !== 'processing')
  const { items } = (await ask(groupJobs.items, { params: { id }, query: {} })).body as {
    items: { name: string; state: string; reason: string; groupId: string }[]
  }
  return { job: await get(), items }
}
const labGroup = async (number: string): Promise<LabPhone> => {
  const { phones } = (await call(product(), lab.list, agent.token, {})).body as unknown as { phones: LabPhone[] }
  return phones.find((one) => one.number === number)!
}
const arrived = async (group: LabPhone) =>
  ((await call(product(), lab.messages, agent.token, { params: { id: group.id } })).body as { messages: LabMessage[] })
    .messages

describe('groups of a channel', () => {
  it('are listed with our own role, paged by name, found by name and role', async () => {
    const plain = await newGroup('Ágora dos fundos')
    const own = await ruled()
    await refresh()
    const all = await groupsOf()
    expect(all.find(({ id }) => id === plain.number)).toMatchObject({
      name: 'Ágora dos fundos',
      role: 'member',
      size: 3,
    })
    expect(all.find(({ id }) => id === own.number)).toMatchObject({ role: 'admin' })
    expect((await groupsOf({ searchParam: 'agora' })).map(({ id }) => id)).toEqual([plain.number])
    expect((await groupsOf({ role: 'admin' })).some(({ id }) => id === plain.number)).toBe(false)
    const { body } = await ask(groupTools.participants, { query: { whatsappId, groupId: plain.number } })
    expect((body['participants'] as { name: string; role: string }[]).map(({ name, role }) => [name, role])).toEqual([
      ['Ana Luz', 'admin'],
      ['Bia Melo', 'member'],
      ['Este canal', 'member'],
    ])
    const file = await ask(groupTools.exportParticipants, {
      query: { whatsappId, format: 'csv', groupIds: [plain.number] },
    })
    expect(String(file.body)).toContain('Ana Luz')
  })

  it('are none of another company, nor of a channel without such tools', async () => {
    const m = make(product().platform)
    const other = await m.tenant('Outra')
    const stranger = await m.user(other, { profile: 'admin' })
    const token = await m.token(stranger)
    for (const op of [groupTools.list, groupTools.ids])
      expect((await ask(op, { query: { whatsappId } }, token)).body.error).toBe('ERR_NO_WAPP_FOUND')
    const sms = await m.connection(tenantId, { type: 'sms' })
    expect((await ask(groupTools.ids, { query: { whatsappId: sms } })).body.error).toBe('ERR_CHANNEL_CANNOT')
  })
})

describe('many at once', () => {
  it('makes groups, and says of whom nobody has WhatsApp', async () => {
    const { job, items } = await run(groupTools.create, {
      title: 'Turma',
      participants: [caio.number, ana.number, caio.number],
      quantity: 3,
    })
    expect(job).toMatchObject({ status: 'completed', total: 3, done: 3, summary: '2 números' })
    expect(items.map(({ name, state }) => [name, state])).toEqual([
      ['Turma 1', 'done'],
      ['Turma 2', 'done'],
      ['Turma 3', 'done'],
    ])
    expect(new Set(items.map(({ groupId }) => groupId)).size).toBe(3)
    expect(await labGroup(items[0]!.groupId)).toMatchObject({ name: 'Turma 1', isOwnAdmin: true })
    await until(async () => (await groupsOf({ searchParam: 'Turma' })).length === 3)
    const nobody = await run(groupTools.create, { title: 'De ninguém', participants: ['(11) 90000-0000'] })
    expect(nobody.items).toMatchObject([{ state: 'failed', reason: 'Nenhum dos participantes tem WhatsApp.' }])
    const wrong = await ask(groupTools.create, { body: { whatsappId, title: 'x', participants: ['abc'] } })
    expect([wrong.status, wrong.body.details]).toEqual([400, { participants: 'Não são números: abc' }])
  })

  it('changes name, description and who writes, with a row and a reason for each group', async () => {
    const [own, plain] = [await ruled(), await newGroup('Sem poder')]
    await refresh()
    const groupIds = [own.number, plain.number]
    const { job, items } = await run(groupTools.titles, { groupIds, title: 'Nome novo' })
    expect(job).toMatchObject({ status: 'completed', done: 1, failed: 1 })
    const reasonOf = (number: string) => items.find(({ groupId }) => groupId === number)
    expect(reasonOf(own.number)).toMatchObject({ state: 'done', reason: '' })
    expect(reasonOf(plain.number)).toMatchObject({
      state: 'failed',
      reason: 'O número não é administrador deste grupo.',
    })
    await run(groupTools.descriptions, { groupIds: [own.number], description: 'Regras' })
    await run(groupTools.adminsOnly, { groupIds: [own.number], adminsOnly: true })
    expect(await labGroup(own.number)).toMatchObject({
      name: 'Nome novo',
      description: 'Regras',
      onlyAdminsWrite: true,
    })
    await until(async () => (await groupsOf({ searchParam: own.number }))[0]?.adminsOnly === true)
    expect((await say(own, bia, 'Posso?')).status).toBe(400)
    const unknown = await ask(groupTools.titles, { body: { whatsappId, groupIds: ['999@g.us'], title: 'x' } })
    expect(unknown.body.error).toBe('ERR_NO_GROUP_FOUND')
    await call(product(), lab.changeGroup, agent.token, {
      params: { id: plain.id },
      body: { isOwnAdmin: true } as never,
    })
    const again = await ask(groupJobs.retry, { params: { id: job.id } })
    expect(again.status).toBe(200)
    await until(async () => (await labGroup(plain.number)).name === 'Nome novo')
  })

  it('adds, promotes, demotes and removes, and says what became of each number', async () => {
    const own = await ruled()
    await refresh()
    const groupIds = [own.number]
    const participants = [caio.number, '(11) 90000-0000']
    const added = await run(groupTools.add, { groupIds, participants })
    expect(added.items).toMatchObject([
      { state: 'partial', reason: '5511900000000: não tem WhatsApp ou não está no grupo' },
    ])
    await run(groupTools.promote, { groupIds, participants: [caio.number] })
    const roleOf = async () => (await labGroup(own.number)).members.find(({ name }) => name === 'Caio Reis')?.isAdmin
    expect(await roleOf()).toBe(true)
    await run(groupTools.demote, { groupIds, participants: [caio.number] })
    expect(await roleOf()).toBe(false)
    await run(groupTools.remove, { groupIds, participants: [caio.number] })
    expect(await roleOf()).toBeUndefined()
  })

  it('goes on after a pause, and leaves undone what was cancelled', async () => {
    const own = await ruled()
    await refresh()
    const { platform } = product()
    await platform.db.write(tenantId, (db) =>
      db.updateTable('connections').set({ status: 'OPENING' }).where('id', '=', whatsappId).execute(),
    )
    const started = await ask(groupTools.titles, { body: { whatsappId, groupIds: [own.number], title: 'Depois' } })
    const { id } = started.body as unknown as GroupJob
    const get = async () => (await ask(groupJobs.get, { params: { id } })).body as unknown as GroupJob
    await until(async () => (await get()).reason === 'O canal não está conectado.')
    expect((await ask(groupJobs.resume, { params: { id } })).body.error).toBe('ERR_GROUP_JOB_STATE')
    expect((await ask(groupJobs.pause, { params: { id } })).body).toMatchObject({ status: 'paused' })
    await platform.db.write(tenantId, (db) =>
      db.updateTable('connections').set({ status: 'CONNECTED' }).where('id', '=', whatsappId).execute(),
    )
    expect((await ask(groupJobs.cancel, { params: { id } })).body).toMatchObject({ status: 'canceled', waiting: 0 })
    expect((await labGroup(own.number)).name).not.toBe('Depois')
    expect((await ask(groupJobs.get, { params: { id: 9e9 } })).body.error).toBe('ERR_NO_GROUP_JOB_FOUND')
  })
})

describe('what happens by itself', () => {
  const join = async (group: LabPhone, who: LabPhone, change: 'add' | 'remove' = 'add') => {
    await call(product(), lab.changeMember, agent.token, {
      params: { id: group.id },
      body: { phoneId: who.id, change, by: ana.id },
    })
  }
  const rule = async (about: object) => {
    const made = await ask(groupRules.create, { body: { whatsappId, ...about } })
    expect([made.status, made.body]).toMatchObject([200, {}])
    return made.body as unknown as GroupRule
  }
  const ruleNow = async (id: number) => (await ask(groupRules.get, { params: { id } })).body as unknown as GroupRule

  it('greets who joins and says farewell to who leaves, once for all of them', async () => {
    const group = await ruled(ana)
    await refresh()
    const groupId = group.number
    await rule({ kind: 'greeting', groupId, value: 'Bem-vindo, {{name}}!' })
    await rule({ kind: 'farewell', groupId, value: 'Até, {{name}}.' })
    const twice = await ask(groupRules.create, { body: { whatsappId, kind: 'greeting', groupId, value: 'Outra' } })
    expect(twice.body.error).toBe('ERR_GROUP_RULE_EXISTS')
    await join(group, bia)
    await join(group, caio)
    const said = async () => (await arrived(group)).flatMap(({ fromPhone, body }) => (fromPhone ? [] : [body]))
    await until(async () => (await said()).length > 0, 20_000)
    await join(group, bia, 'remove')
    await until(async () => (await said()).length > 1, 20_000)
    expect(await said()).toEqual(['Bem-vindo, Bia Melo e Caio Reis!', 'Até, Bia Melo.'])
  })

  it('removes a banned number that joins, and says so where we may not', async () => {
    const [own, plain] = [await ruled(ana), await newGroup('Sem poder banir', [ana])]
    await refresh()
    const ban = await rule({ kind: 'ban', groupId: own.number, value: bia.number })
    const powerless = await rule({ kind: 'ban', groupId: plain.number, value: bia.number })
    expect(powerless.problem).toBe('O número não é administrador deste grupo.')
    for (const group of [own, plain]) await join(group, bia)
    await until(async () => (await labGroup(own.number)).members.every(({ name }) => name !== 'Bia Melo'))
    await until(async () => (await ruleNow(powerless.id)).hits === 1)
    expect(await ruleNow(ban.id)).toMatchObject({ hits: 1, problem: '' })
    expect((await labGroup(plain.number)).members.some(({ name }) => name === 'Bia Melo')).toBe(true)
  })

  it('takes forbidden words back, warns, and removes the author after so many; admins are exempt', async () => {
    const { group, ticketId } = await talking(ana, bia)
    await call(product(), lab.changeGroup, agent.token, {
      params: { id: group.id },
      body: { isOwnAdmin: true } as never,
    })
    await refresh()
    const about = { kind: 'word', groupId: group.number, value: 'Promoção' }
    const empty = await ask(groupRules.create, { body: { whatsappId, ...about } })
    expect(empty.body.details).toMatchObject({ deletes: expect.any(String) })
    const { id, problem } = await rule({ ...about, deletes: true, warning: '{{name}}, aqui não.', removeAfter: 2 })
    expect(problem).toBe('O vigia de palavras está desligado neste canal.')
    await say(group, bia, 'Olha a promocao')
    const on = { params: { id: whatsappId }, body: { wordlist: 'enabled' } }
    expect((await ask(connections.update, on)).status).toBe(200)
    await say(group, ana, 'Eu administro: promoção!')
    await say(group, bia, 'Promocaozinha não é a palavra')
    await say(group, bia, 'PROMOÇÃO: leve dois')
    await until(async () =>
      (await arrived(group)).some(({ body, fromPhone }) => !fromPhone && body === 'Bia Melo, aqui não.'),
    )
    await until(async () => (await arrived(group)).some(({ body, isDeleted }) => isDeleted && body === ''))
    await until(async () =>
      (await thread(ticketId)).some(({ body, isDeleted }) => isDeleted && body.includes('leve dois')),
    )
    expect((await labGroup(group.number)).members).toHaveLength(2)
    await say(group, bia, 'mais promoção')
    await until(async () => (await labGroup(group.number)).members.length === 1)
    expect(await ruleNow(id)).toMatchObject({ hits: 2, problem: '' })
    const kept = (await arrived(group)).filter(({ isDeleted, fromPhone }) => fromPhone && !isDeleted)
    expect(kept.map(({ body }) => body)).toEqual(
      expect.arrayContaining(['Olha a promocao', 'Eu administro: promoção!', 'Promocaozinha não é a palavra']),
    )
  })

  it('is changed, removed, and cleared by kind', async () => {
    const group = await ruled()
    await refresh()
    const made = await rule({ kind: 'word', groupId: group.number, value: 'um', deletes: true })
    const changed = await ask(groupRules.update, {
      params: { id: made.id },
      body: { whatsappId, kind: 'word', groupId: group.number, value: 'Dois', warning: 'Ei', deletes: false },
    })
    expect(changed.body).toMatchObject({ value: 'dois', deletes: false, warning: 'Ei' })
    const ban = await rule({ kind: 'ban', groupId: group.number, value: '(19) 99999-0001' })
    expect(ban.value).toBe('5519999990001')
    expect((await ask(groupRules.clear, { query: { kind: 'word' } })).body['removed']).toBeGreaterThan(0)
    expect((await ask(groupRules.get, { params: { id: made.id } })).body.error).toBe('ERR_NO_GROUP_RULE_FOUND')
    expect((await ask(groupRules.remove, { params: { id: ban.id } })).status).toBe(200)
    expect((await ask(groupRules.remove, { params: { id: ban.id } })).body.error).toBe('ERR_NO_GROUP_RULE_FOUND')
  })
})
