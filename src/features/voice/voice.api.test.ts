import { io, type Socket } from 'socket.io-client'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { FRAME_BYTES } from '#domain/voice/calls.ts'
import { users } from '#features/users/contract.ts'
import { make, type Person } from '#test/make.ts'
import { startWavoip } from '#test/peers/wavoip.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { SOUND_PACKET } from './addresses.ts'
import { calls, type VoiceAnswer, type VoiceRequest, type VoiceState, voiceDevices } from './contract.ts'

let shiftMs = 0
const product = withProduct({ now: () => new Date(Date.now() + shiftMs) })
const m = () => make(product().platform)
let wavoip: Awaited<ReturnType<typeof startWavoip>>
let tenantId: number
let admin: Person
let agent: Person

beforeAll(async () => {
  wavoip = await startWavoip()
  Object.assign(product().platform.env, { WAVOIP_URL: wavoip.url })
  tenantId = await m().tenant()
  admin = await m().person(tenantId, { profile: 'admin' })
  agent = await m().person(tenantId, { name: 'Bia' })
})
afterAll(() => wavoip.close())

const pages: Socket[] = []
let tokens = 0

/** Opens a page of a user that follows calls; `state` is what it shows. */
async function page(who: Person, company = tenantId) {
  const socket = io(product().address, { auth: { token: who.token }, transports: ['websocket'], forceNew: true })
  pages.push(socket)
  await new Promise<void>((opened) => socket.once('connect', opened))
  let state: VoiceState = { devices: [], calls: [] }
  let heard = 0
  socket.on(`${company}:voice`, ({ payload }: { payload: VoiceState }) => {
    state = payload
  })
  socket.on(SOUND_PACKET, (frame: Buffer) => {
    heard += frame.length
  })
  const ask = (request: VoiceRequest | object): Promise<VoiceAnswer> =>
    socket.timeout(20_000).emitWithAck(`${company}:voice`, request)
  await ask({ do: 'listen' })
  return {
    socket,
    ask,
    state: () => state,
    call: () => state.calls[0],
    heard: () => heard,
    /** Waits until the page shows what `holds` says. */
    shows: (holds: (state: VoiceState) => boolean) => until(() => holds(state)),
  }
}

/** Creates a device and waits until the pages see its device connected. */
async function device(more: object = {}, company = { tenantId, admin }) {
  const token = `token-${++tokens}-de-teste`
  const body = { name: `Linha ${tokens}`, wavoipToken: token, ...more }
  const { body: made, status } = await call(product(), voiceDevices.create, company.admin.token, { body })
  expect(status).toBe(200)
  return {
    token,
    id: made.id,
    remove: () => call(product(), voiceDevices.remove, company.admin.token, { params: { id: made.id } }),
  }
}
const logOf = async (query: object = {}) => (await call(product(), calls.list, admin.token, { query })).body.calls
const isOpen = (id: number) => (state: VoiceState) => state.devices.some((one) => one.id === id && one.state === 'open')

afterEach(async () => {
  for (const socket of pages.splice(0)) socket.disconnect()
  for (const { id } of (await call(product(), voiceDevices.list, admin.token, { query: {} })).body.items)
    await call(product(), voiceDevices.remove, admin.token, { params: { id } })
})

describe('a device', () => {
  it('keeps its token masked and encrypted, and one that is sent back stays', async () => {
    const { id, token } = await device({ number: '+5519998124407' })
    const { body: shown } = await call(product(), voiceDevices.get, admin.token, { params: { id } })
    expect(shown).toMatchObject({ wavoipToken: '••••este', number: '+5519998124407', isActive: true })
    const body = { ...shown, id: undefined, name: 'Vendas' } as never
    await call(product(), voiceDevices.update, admin.token, { params: { id }, body })
    const row = await product().platform.db.read(tenantId, (db) =>
      db.selectFrom('voice_devices').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    )
    expect([row.name, JSON.stringify(row.secrets).includes(token)]).toEqual(['Vendas', false])
    const seen = await page(agent)
    await seen.shows(isOpen(id))
    expect(wavoip.isListened(token)).toBe(true)
  })

  it('shows its state, with the code that links a phone', async () => {
    const { id, token } = await device()
    const state = async () => (await call(product(), voiceDevices.state, admin.token, { params: { id } })).body
    expect(await state()).toEqual({ state: 'open', qrcode: null })
    wavoip.setStatus(token, 'close', '2@codigo')
    expect(await state()).toEqual({ state: 'linking', qrcode: '2@codigo' })
  })

  it('is opened and closed with what is changed while pages are open', async () => {
    const seen = await page(agent)
    expect(seen.state().devices).toEqual([])
    const made = await device()
    await seen.shows(isOpen(made.id))
    wavoip.setStatus(made.token, 'close')
    await seen.shows(({ devices }) => devices[0]?.state === 'closed')
    expect(await seen.ask({ do: 'call', number: '19998124407' })).toEqual({ error: 'Webphone não está conectado' })
    await made.remove()
    await seen.shows(({ devices }) => devices.length === 0)
    await until(() => !wavoip.isListened(made.token))
  })
})

describe('an outgoing call', () => {
  it('is dialled, answered, heard and ended, and is in the log', async () => {
    const contact = await m().contact(tenantId, { name: 'Caio Prado', number: '5519998124407' })
    const { id, token } = await device({ number: '+551130001000' })
    const seen = await page(agent)
    await seen.shows(isOpen(id))
    expect(await seen.ask({ do: 'call', number: '(19) 9812-4407' })).toEqual({ error: null })
    await seen.shows(({ calls: [one] }) => one?.tag === 'Caio Prado')
    expect(seen.call()).toMatchObject({
      ...{ phone: '5519998124407', status: 'outcoming_calling', direction: 'outgoing', chat_id: contact },
      ...{ whatsapp_instance: id, isOwn: true, isHere: true, active_start_date: null, ending: null },
    })
    expect(wavoip.state.heard.filter((one) => one.token === token)).toMatchObject([
      { event: 'start', argument: '5519998124407' },
    ])
    wavoip.signal(token, 'accept')
    await seen.shows(({ calls: [one] }) => one?.status === 'accept')
    const frame = Buffer.alloc(FRAME_BYTES, 1)
    await until(() => {
      seen.socket.emit(SOUND_PACKET, frame)
      return seen.heard() >= FRAME_BYTES
    })
    expect(await logOf()).toMatchObject([
      {
        ...{ direction: 'outgoing', callStatus: 'Accepted', contactId: contact, contactName: 'Caio Prado' },
        ...{ originNumber: '551130001000', destinationNumber: '5519998124407', userName: 'Bia' },
      },
    ])
    for (const isMuted of [true, false]) await seen.ask({ do: 'mute', id: seen.call()!.id, isMuted })
    await seen.ask({ do: 'end', id: seen.call()!.id })
    await seen.shows((state) => state.calls.length === 0)
    expect(wavoip.heard(token)).toEqual(['start', 'mute', 'unmute', 'end'])
    await until(async () => (await logOf())[0]?.callStatus === 'Completed')
  })

  it('tries the next device when one is busy or silent, and says why when none takes it', async () => {
    const [busy, silent, good] = [await device(), await device(), await device()]
    const seen = await page(agent)
    for (const { id } of [busy, silent, good]) await seen.shows(isOpen(id))
    wavoip.state.start.set(busy.token, { type: 'error', result: 'Ocupado', code: 'busy' })
    wavoip.state.start.set(silent.token, 'silent')
    expect(await seen.ask({ do: 'call', number: '+5511987654321' })).toEqual({ error: null })
    await seen.shows(({ calls: [one] }) => one?.whatsapp_instance === good.id)
    // A call that a silent device begins after all is ended.
    await until(() => wavoip.heard(silent.token).includes('end'))
    expect(await seen.ask({ do: 'call', number: '11987654321' })).toEqual({
      error: 'Encerre antes a ligação em que você está.',
    })
    await seen.ask({ do: 'end', id: seen.call()!.id })
    wavoip.state.start.set(good.token, { type: 'error', result: 'Limite de ligações atingido' })
    const again = { do: 'call', number: '11987654321' }
    expect(await seen.ask({ ...again, deviceId: good.id })).toEqual({ error: 'Limite de ligações atingido' })
    expect(await seen.ask(again)).toEqual({ error: 'Linha ocupada, tente mais tarde ou faça um upgrade' })
    await seen.shows((state) => state.calls.length === 0)
  })

  it('is one at a time on a device, whoever asks', async () => {
    const { id, token } = await device()
    const people = await Promise.all(Array.from({ length: 5 }, () => m().person(tenantId)))
    const open = await Promise.all(people.map((one) => page(one)))
    for (const one of open) await one.shows(isOpen(id))
    const answers = await Promise.all(open.map((one) => one.ask({ do: 'call', number: '11987654321' })))
    expect(answers.filter(({ error }) => error === null)).toHaveLength(1)
    expect(wavoip.heard(token)).toEqual(['start'])
  })
})

describe('an incoming call', () => {
  it('rings on every page, goes to the first that accepts, and leaves the others', async () => {
    const { id, token } = await device()
    const [one, other] = [await page(agent), await page(admin)]
    for (const each of [one, other]) await each.shows(isOpen(id))
    wavoip.offer(token, '5521987650001', 'Dona Lia')
    for (const each of [one, other]) await each.shows(({ calls: [first] }) => first?.status === 'offer')
    expect(one.call()).toMatchObject({ tag: 'Dona Lia', phone: '5521987650001', isOwn: false, direction: 'incoming' })
    const callId = one.call()!.id
    const answers = await Promise.all([one, other].map((each) => each.ask({ do: 'accept', id: callId })))
    expect(answers.filter(({ error }) => error !== null)).toEqual([{ error: 'Outra pessoa já atendeu.' }])
    const [winner, loser] = answers[0]!.error === null ? [one, other] : [other, one]
    await winner.shows(({ calls: [first] }) => first?.status === 'accept' && first.isHere)
    await loser.shows((state) => state.calls.length === 0)
    expect(wavoip.heard(token)).toEqual(['accept'])
    expect(await loser.ask({ do: 'end', id: callId })).toEqual({ error: 'Esta ligação é de outra pessoa.' })
    wavoip.signal(token, 'terminate')
    await winner.shows((state) => state.calls.length === 0)
    await until(async () => (await logOf({ direction: 'incoming' }))[0]?.callStatus === 'Completed')
  })

  it('that is refused, missed or answered on the phone is recorded as that', async () => {
    const { id, token } = await device()
    const seen = await page(agent)
    await seen.shows(isOpen(id))
    const offered = async (phone: string) => {
      wavoip.offer(token, phone)
      await seen.shows(({ calls: [one] }) => one?.phone === phone && one.ending === null)
      return seen.call()!.id
    }
    const ends: (readonly [string, (callId: string) => unknown])[] = [
      ['5521987650011', (callId) => seen.ask({ do: 'reject', id: callId })],
      ['5521987650012', () => wavoip.signal(token, 'terminate')],
      ['5521987650013', () => wavoip.signal(token, 'accept_elsewhere')],
    ]
    for (const [phone, end] of ends) {
      end(await offered(phone))
      await seen.shows((state) => state.calls.length === 0)
    }
    await until(async () =>
      (await logOf({ searchParam: '552198765001' })).every((one) => one.callStatus !== 'Received'),
    )
    const logged = await logOf({ searchParam: '552198765001' })
    expect(logged.map((one) => [one.originNumber, one.callStatus])).toEqual([
      ['5521987650013', 'Completed'],
      ['5521987650012', 'Ended'],
      ['5521987650011', 'Ended'],
    ])
    expect((await logOf({ searchParam: '552198765001', unanswered: 'true' })).length).toBe(2)
  })

  it('survives the reload of its page, and ends with a page that stays away', async () => {
    const { id, token } = await device()
    const seen = await page(agent)
    await seen.shows(isOpen(id))
    wavoip.offer(token, '5521987650021')
    await seen.shows((state) => state.calls.length === 1)
    await seen.ask({ do: 'accept', id: seen.call()!.id })
    seen.socket.disconnect()
    const again = await page(agent)
    await until(async () => {
      await again.ask({ do: 'listen' })
      return again.call()?.isHere === true
    })
    expect(again.call()).toMatchObject({ status: 'accept', isOwn: true })
    again.socket.disconnect()
    await until(() => {
      shiftMs += 1000
      return wavoip.heard(token).includes('end')
    })
  })
})

describe('who may not call', () => {
  it('gets no state, no call and no sound', async () => {
    const { id, token } = await device()
    const blocked = await m().person(tenantId)
    const body = { blockWavoip: true }
    await call(product(), users.update, admin.token, { params: { id: blocked.id }, body })
    const limited = await m().person(tenantId)
    await call(product(), users.update, admin.token, { params: { id: limited.id }, body: { restrictedUser: true } })
    const seen = await page(agent)
    await seen.shows(isOpen(id))
    for (const who of [blocked, limited]) {
      const shut = await page({ ...who, token: await m().token(who) })
      expect(await shut.ask({ do: 'call', number: '11987654321' })).toEqual({
        error: 'Você não tem permissão para fazer ligações.',
      })
      expect(shut.state().devices).toEqual([])
    }
    const elsewhere = await m().tenant()
    const stranger = await page(await m().person(elsewhere, { profile: 'admin' }), elsewhere)
    expect(stranger.state().devices).toEqual([])
    wavoip.offer(token, '5521987650031')
    await seen.shows((state) => state.calls.length === 1)
    expect(await stranger.ask({ do: 'accept', id: seen.call()!.id })).toEqual({ error: 'Esta ligação já terminou.' })
    expect(stranger.state().calls).toEqual([])
  })

  it.each([
    [null],
    ['listen'],
    [{}],
    [{ do: 'call' }],
    [{ do: 'call', number: 'x'.repeat(100) }],
    [{ do: 'accept', id: 'constructor' }],
    [{ do: 'listen', more: 1 }],
  ])('asks for nothing with %j', async (request) => {
    const seen = await page(agent)
    expect(await seen.ask(request as object)).toEqual({ error: 'Pedido inválido.' })
  })

  it('hears what is wrong with a number', async () => {
    const { id } = await device()
    const seen = await page(agent)
    await seen.shows(isOpen(id))
    expect(await seen.ask({ do: 'call', number: '123' })).toEqual({
      error: 'Este número não existe. Confira o DDD e os dígitos.',
    })
  })
})
