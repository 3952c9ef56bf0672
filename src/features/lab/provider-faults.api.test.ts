import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connections } from '#features/connections/contract.ts'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { messages } from '#features/messages/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import type { Operation } from '#kit/contract.ts'
import { channelTypes } from '#providers/channels/configs.ts'
import { isSendFailure, type Outbound } from '#providers/channels/port.ts'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { type LabMessage, type LabPhone, lab } from './contract.ts'
import { faultsOfProvider } from './server/of-provider.ts'
import { phonesEnd } from './server/to-phone.ts'

const PATIENCE = 15_000
const product = withProduct()
let tenantId: number
let us: { id: number; token: string }
let owner: pg.Client
beforeAll(async () => {
  const m = make(product().platform)
  tenantId = await m.tenant('Loja Cambuí')
  const admin = await m.user(tenantId, { profile: 'admin' })
  us = { id: admin.id, token: await m.token(admin) }
  await product().platform.db.asPlatform((db) =>
    db.updateTable('tenants').set({ max_connections: 50 }).where('id', '=', tenantId).execute(),
  )
  owner = new pg.Client({ connectionString: product().ownerUrl })
  await owner.connect()
})
afterAll(() => owner.end())

const ask = <T = unknown>(operation: Operation, input: object) =>
  call(product(), operation, us.token, input as never) as Promise<{ status: number; body: T }>
const rowsOf = (column: 'body' | 'id' | 'provider_id', is: string) =>
  product().platform.db.read(tenantId, (db) =>
    db.selectFrom('messages').selectAll().where(column, '=', is).orderBy('seq').execute(),
  )
const arm = ({ id }: LabPhone, body: object) => ask<LabPhone>(lab.setFaults, { params: { id }, body })
const onPhone = async ({ id }: LabPhone) =>
  (await ask<{ messages: LabMessage[] }>(lab.messages, { params: { id } })).body.messages
const connectionOf = ({ connectionId }: LabPhone) =>
  product().platform.db.read(tenantId, (db) =>
    db.selectFrom('connections').select(['status', 'cause']).where('id', '=', connectionId).executeTakeFirstOrThrow(),
  )
const REPORTS = "task_id = (select id from graphile_worker._private_tasks where identifier = 'lab:report')"
/** Runs the delayed reports now. */
async function hurry(): Promise<void> {
  await owner.query(`update graphile_worker._private_jobs set run_at = now() where ${REPORTS}`)
  const waiting = () => owner.query(`select from graphile_worker._private_jobs where ${REPORTS}`)
  await until(async () => (await waiting()).rows.length === 0)
}

let people = 0
/** Creates a phone (for mail a mailbox) whose conversation can be answered. */
async function talking(type: string) {
  const number = type === 'webmail' ? `caixa${++people}@cliente.example` : `(19) 99812-${3000 + ++people}`
  const made = await ask<LabPhone>(lab.create, { body: { name: `Pessoa ${people}`, number, type } })
  expect([made.status, made.body]).toMatchObject([200, { type }])
  const phone = made.body
  const said = await say(phone, `Oi ${people}`)
  await until(async () => (await rowsOf('provider_id', said)).length > 0)
  const ticketId = (await rowsOf('provider_id', said))[0]!.ticket_id
  await ask(tickets.update, { params: { id: ticketId }, body: { status: 'open', userId: us.id } })
  return { phone, ticketId }
}
async function say(phone: LabPhone, body: string, more: object = {}): Promise<string> {
  const id = randomUUID()
  const { status } = await ask(lab.send, { params: { id: phone.id }, body: { id, body, ...more } })
  expect(status).toBe(200)
  await ingestIdle(product().platform)
  return id
}
async function answer(ticketId: number, body = `Resposta ${randomUUID()}`): Promise<{ id: string; body: string }> {
  const reply = await ask<{ messages: { id: string }[] }>(messages.send, {
    params: { ticketId },
    body: { idFront: randomUUID(), body, isNote: false },
  })
  return { id: reply.body.messages[0]!.id, body }
}
const stepsOf = (id: string) =>
  product().platform.db.read(tenantId, (db) =>
    db.selectFrom('message_trail').select(['step', 'detail']).where('message_id', '=', id).orderBy('id').execute(),
  )
const hasReason = async (id: string, reason: RegExp) =>
  (await stepsOf(id)).some(({ detail }) => reason.test(JSON.stringify(detail)))

/** Result of the next answer: its first status, the reason, the cause that stops the connection, and whether it arrived. */
type Becomes = { status: RegExp; reason?: RegExp; cause?: string; arrives?: true }
const GATEWAYS = ['evo', 'meow', 'zapi', 'uazapi']
const META = ['waba', 'instagram', 'messenger']

const sent: readonly (readonly [types: readonly string[], fault: string, Becomes])[] = [
  [GATEWAYS, 'gone', { status: /pending/, cause: 'unlinked' }],
  [GATEWAYS, 'key', { status: /pending/, reason: /não aceita mais a chave/, cause: 'token' }],
  [GATEWAYS, 'restart', { status: /pending/, reason: /não atende agora/ }],
  [GATEWAYS, 'lost', { status: /sent|delivered/, arrives: true }],
  [GATEWAYS, 'lies', { status: /failed/, reason: /não conseguiu enviar a mensagem/ }],
  [['telegram'], 'wait', { status: /pending/, reason: /pediu para esperar/ }],
  [['telegram'], 'blocked', { status: /failed/, reason: /O contato bloqueou o bot/ }],
  [['telegram'], 'token', { status: /pending/, reason: /não aceita mais o token/, cause: 'token' }],
  [['telegram'], 'other', { status: /pending/, cause: 'replaced' }],
  [['sms'], 'inside', { status: /failed/, reason: /não aceitou a mensagem/ }],
  [['sms'], 'credit', { status: /pending/, reason: /créditos/ }],
  [['sms'], 'undelivered', { status: /failed/, reason: /não entregou/ }],
  [['hub'], 'early', { status: /delivered/, arrives: true }],
  [['hub'], 'renamed', { status: /read/, arrives: true }],
  [['hub'], 'inside', { status: /failed/, reason: /Passaram 24 horas/ }],
  [['hub'], 'token', { status: /pending/, cause: 'token' }],
  [['webmail'], 'full', { status: /failed/, reason: /A caixa de entrada de caixa\d+@cliente.example está cheia/ }],
  [['webmail'], 'later', { status: /pending/, reason: /tentar mais tarde/ }],
  [['webmail'], 'password', { status: /pending/, reason: /recusou o usuário ou a senha/, cause: 'refused' }],
  [['webmail'], 'grant', { status: /pending/, reason: /não aceita mais esta autorização/, cause: 'token' }],
  [META, '131047', { status: /failed/, reason: /Passaram 24 horas/ }],
  [META, '131049', { status: /failed/, reason: /cansar o contato/ }],
  [META, '130429', { status: /pending/, reason: /limite de envios/ }],
  [META, '190', { status: /pending/, reason: /token não vale mais/, cause: 'token' }],
  [META, '132015', { status: /failed/, reason: /pausado/ }],
]
/** Faults of messages from the contact. */
const said: readonly (readonly [type: string, fault: string])[] = [
  ['evo', 'deleted'],
  ['zapi', 'waiting'],
  ['webmail', 'validity'],
  ['webmail', 'huge'],
  ['webmail', 'idle'],
]

test('of every channel each fault of its provider is tried here', () => {
  const tried = [
    ...sent.flatMap(([types, fault]) => types.map((type) => `${type} ${fault}`)),
    ...said.map((one) => one.join(' ')),
  ]
  const known = channelTypes().flatMap(({ type }) =>
    faultsOfProvider(product().platform, type).map(({ id }) => `${type} ${id}`),
  )
  expect(known.filter((one) => !one.startsWith('echo ')).sort()).toEqual(tried.sort())
})

/** Tests a fault on the next answer of a phone; it is used up then, and loses nothing. */
async function happens(type: string, fault: string, { status, reason, cause, arrives }: Becomes): Promise<void> {
  const { phone, ticketId } = await talking(type)
  const params = { id: phone.id }
  expect((await arm(phone, { provider: fault })).status).toBe(200)
  if (cause && !reason) await until(async () => (await connectionOf(phone)).cause === cause)
  const { id, body } = await answer(ticketId)
  const isThere = async () => (await onPhone(phone)).some((one) => one.body === body)
  await until(async () => status.test((await rowsOf('id', id))[0]!.status), PATIENCE)
  if (reason) await until(() => hasReason(id, reason), PATIENCE)
  if (cause) await until(async () => (await connectionOf(phone)).cause === cause)
  expect(await isThere()).toBe(arrives === true)
  const { phones } = (await ask<{ phones: LabPhone[] }>(lab.list, {})).body
  expect(phones.find((one) => one.id === phone.id)!.faults.provider).toBe('')
  if (cause) {
    expect((await ask(connections.start, { params: { id: phone.connectionId }, body: {} })).status).toBe(200)
    await until(isThere, PATIENCE)
  }
  expect(await rowsOf('body', body)).toHaveLength(1)
  await ask(lab.remove, { params })
}

// What channels have in common happens to one of them, each in turn.
const happening = sent.map(([types, fault, becomes], n) => ({ type: types[n % types.length]!, fault, becomes }))

// Faults of one channel share its connection.
describe.concurrent.each([...new Set(happening.map(({ type }) => type))])('of the next answer by %s', (type) => {
  test('each happens, is gone then, and loses nothing', async () => {
    for (const { fault, becomes } of happening.filter((one) => one.type === type))
      await happens(type, fault, becomes).catch((error: unknown) => {
        throw Object.assign(error as Error, { message: `${type} ${fault}: ${(error as Error).message}` })
      })
  }, 120_000)
})

describe.each(sent.flatMap(([types, ...of]) => types.map((type) => [type, ...of] as const)))(
  '%s %s',
  (type, id, becomes) => {
    test('says what happened, and stops what it stops', () => {
      const fault = faultsOfProvider(product().platform, type).find((one) => one.id === id)!
      const to = 'caixa1@cliente.example'
      const message = { messageId: 'm', conversationKey: to, body: 'Oi', to, now: new Date(0) }
      const failure = fault.fails?.()
      const told = JSON.stringify([failure?.message, fault.reports?.(message)])
      if (becomes.reason) expect(told).toMatch(becomes.reason)
      expect(fault.stops ?? (isSendFailure(failure) ? failure.stops : undefined)).toBe(becomes.cause)
    })
  },
)

describe('what the contact says', () => {
  const shown = async (id: string) => (await rowsOf('provider_id', id))[0]

  test('evo: DELETED is believed of nothing', async () => {
    const { phone } = await talking('evo')
    await arm(phone, { provider: 'deleted' })
    const id = await say(phone, 'Isto fica')
    await until(async () => (await shown(id)) !== undefined)
    await hurry()
    await ingestIdle(product().platform)
    expect(await shown(id)).toMatchObject({ body: 'Isto fica', is_deleted: false })
    expect((await onPhone(phone)).at(-1)).toMatchObject({ id, isDeleted: false })
  })

  test('zapi: a waitingMessage is replaced in its place', async () => {
    const { phone } = await talking('zapi')
    await arm(phone, { provider: 'waiting' })
    const id = await say(phone, 'Agora sim')
    await until(async () => (await shown(id))?.media_type === 'undecrypted')
    const { id: rowId } = (await shown(id))!
    await hurry()
    await until(async () => (await shown(id))?.body === 'Agora sim', PATIENCE)
    expect(await rowsOf('provider_id', id)).toMatchObject([{ id: rowId, media_type: 'text' }])
    await until(async () => (await onPhone(phone)).at(-1)?.status === 'delivered')
  })

  test('webmail: what is read twice stands once; what nobody told of comes with the next look; what is too large says so', async () => {
    const { phone } = await talking('webmail')
    await arm(phone, { provider: 'validity' })
    const twice = await say(phone, 'Uma vez', { subject: 'Outra caixa' })
    await until(async () => (await shown(twice)) !== undefined)
    await hurry()
    await ingestIdle(product().platform)
    expect(await rowsOf('provider_id', twice)).toHaveLength(1)
    await arm(phone, { provider: 'idle' })
    const late = await say(phone, 'Sem aviso', { subject: 'Depois' })
    expect(await shown(late)).toBeUndefined()
    expect((await onPhone(phone)).at(-1)).toMatchObject({ id: late, status: 'pending' })
    await hurry()
    await until(async () => (await shown(late)) !== undefined, PATIENCE)
    await arm(phone, { provider: 'huge' })
    const huge = await say(phone, 'Segue o filme', { subject: 'Filme' })
    await until(async () => (await shown(huge)) !== undefined)
    expect((await shown(huge))!.body).toBe('Segue o filme\n\n[Anexo que não é aceito aqui: video.mp4]')
  })

  test('webmail: whoever is on holiday answers everybody, and gets no automatic answer to that', async () => {
    const { phone, ticketId } = await talking('webmail')
    await arm(phone, { vacation: true })
    const { body } = await answer(ticketId)
    const automatic = async () => (await onPhone(phone)).find((one) => one.fromPhone && /automática/.test(one.body))
    await until(async () => (await automatic())?.status === 'delivered', PATIENCE)
    const { id, data } = (await automatic())!
    expect(data).toMatchObject({ mail: { isAutomatic: true, from: { address: phone.number } } })
    await until(async () => (await shown(id)) !== undefined)
    const row = (await shown(id))!
    expect(row.ticket_id).toBe(ticketId)
    const about = {
      tenantId,
      connectionId: phone.connectionId,
      conversationKey: row.conversation_key,
      messageId: randomUUID(),
    }
    const message = {
      ...about,
      type: 'text',
      body: 'Voltamos logo',
      data: null,
      isAutomatic: true,
      timestamp: Date.now(),
    }
    const deliver = (more: object) =>
      phonesEnd(product().platform).deliver({ ...message, ...more } as unknown as Outbound)
    expect(await deliver({})).toMatchObject({ kind: 'refused', message: expect.stringContaining('não se responde') })
    expect(await deliver({ isAutomatic: false, messageId: randomUUID(), body: 'De gente' })).toBe('delivered')
    expect((await onPhone(phone)).map((one) => one.body)).toEqual(
      expect.arrayContaining([body, 'De gente', expect.stringContaining('automática')]),
    )
  })
})

test('a channel gives no receipt that it does not have', async () => {
  const { phone, ticketId } = await talking('telegram')
  const { id } = await answer(ticketId)
  await until(async () => (await rowsOf('id', id))[0]!.status === 'sent')
  await until(async () => (await onPhone(phone)).at(-1)?.status === 'delivered')
  await ask(lab.read, { params: { id: phone.id }, body: {} })
  await ingestIdle(product().platform)
  expect((await rowsOf('id', id))[0]!.status).toBe('sent')
})

test('what a phone’s channel does not have is refused: another’s fault, a file in a text message, a change of one', async () => {
  const { phone } = await talking('sms')
  expect((await arm(phone, { provider: 'blocked' })).body).toMatchObject({
    error: 'ERR_VALIDATION',
    details: { faults: 'Esta falha não existe neste canal.' },
  })
  expect((await arm(phone, { vacation: true })).status).toBe(400)
  const id = await say(phone, 'SAIR')
  const edit = { params: { id: phone.id, messageId: id }, body: { act: 'edit', body: 'FICAR' } }
  expect((await ask<{ error: string }>(lab.act, edit)).body.error).toBe('ERR_CHANNEL_CANNOT')
  const form = new FormData()
  form.append('id', randomUUID())
  form.append('file', new Blob(['conteúdo'], { type: 'text/plain' }), 'nota.txt')
  const reply = await fetch(`${product().address}/api/lab/phones/${phone.id}/messages`, {
    ...{ method: 'POST', body: form, headers: { authorization: `Bearer ${us.token}` } },
  })
  expect(await reply.json()).toMatchObject({ error: 'ERR_CHANNEL_CANNOT' })
  const opted = await product().platform.db.read(tenantId, (db) =>
    db.selectFrom('consents').select(['purpose', 'state']).orderBy('purpose').execute(),
  )
  expect(opted).toEqual([
    { purpose: 'marketing', state: 'revoked' },
    { purpose: 'utility', state: 'revoked' },
  ])
})
