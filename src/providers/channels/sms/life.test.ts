import { afterEach, expect, test } from 'vitest'
import { settingsFor } from '#test/channels/sms-end.ts'
import { startSms } from '#test/peers/sms.ts'
import { until } from '#test/until.ts'
import {
  type ChannelTools,
  isSendFailure,
  type Link,
  type Outbound,
  type ProviderEvent,
  type StateValue,
  stopCauseOf,
} from '../port.ts'
import { smsAdapter } from './adapter.ts'
import type { SmsProviderId } from './config.ts'
import { twilioSignature } from './twilio.ts'

const MOBILE = '5519998124407'
const ends: (() => Promise<void>)[] = []
afterEach(async () => void (await Promise.all(ends.splice(0).map((end) => end()))))

/** Opens a line at a stand-in that behaves like its provider. */
async function opened(is: SmsProviderId, values: Record<string, string | boolean> = { from: '28149' }) {
  const sms = await startSms(is)
  const fetchBy: ChannelTools['fetch'] = async (address, { method = 'GET', headers = {}, body } = {}) => {
    const answer = await fetch(address, { method, headers, ...(body === undefined ? {} : { body: body as string }) })
    return {
      ...{ url: address, status: answer.status, headers: Object.fromEntries(answer.headers) },
      body: new Uint8Array(await answer.arrayBuffer()),
    }
  }
  const settings = settingsFor(is, sms)
  const tools = {
    ...{ fetch: fetchBy, settings, door: { url: 'https://guiche.example/api/hooks/x', name: 'g', secret: 's' } },
    ...{ now: () => new Date(1_782_900_000_000), log: { warn: () => {} } },
  } as Partial<ChannelTools> as ChannelTools
  const adapter = smsAdapter(values, tools)
  const events: ProviderEvent[] = []
  const stored = new Map<string, StateValue>()
  const statuses: string[] = []
  const link = {
    emit: async (all, changes = new Map()) => {
      if (all.length > 1000) throw new Error('more than a link takes')
      events.push(...all)
      for (const [name, value] of changes) stored.set(name, value!)
    },
    state: { get: async () => stored, clear: async () => {} },
    status: async (status) => void statuses.push(status),
    caughtUp: async () => {},
  } as Partial<Link> as Link
  let isOver = false
  const life = adapter.open!(link).then(
    () => {},
    () => {
      isOver = true
    },
  )
  ends.push(async () => {
    await adapter.close!()
    await life
    await sms.close()
  })
  const send = (body: string, to = MOBILE) =>
    adapter.send({ conversationKey: to, body, messageId: crypto.randomUUID() } as Outbound)
  return { sms, adapter, events, stored, statuses, send, tools, isOver: () => isOver }
}

test.each(['comtele', 'smsdev'] as const)('%s is asked what became of messages and what was said, once', async (is) => {
  const { sms, adapter, events, stored, statuses, send } = await opened(is)
  await until(() => statuses.includes('CONNECTED') && stored.has('waiting'))
  const { providerId } = await send('Seu pedido saiu')
  const { providerId: lost } = await send('Este não chega')
  for (const one of sms.got) one.state = one.id === providerId ? 'delivered' : 'failed'
  sms.replies.push({ id: '77', from: MOBILE, text: 'Obrigada!' })
  adapter.look!()
  await until(() => events.some(({ type }) => type === 'receipt'))
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'receipt', providerId, status: 'delivered', conversationKey: MOBILE }),
  )
  expect(events).toContainEqual(expect.objectContaining({ type: 'receipt', providerId: lost, status: 'failed' }))
  const said = events.filter(({ type }) => type === 'message')
  expect(said[0]).toMatchObject({ conversationKey: MOBILE, message: { body: 'Obrigada!' } })
  expect(stored.get('waiting')).toEqual([])
  const asked = events.length
  adapter.look!()
  await until(() => events.length > asked)
  // A repeated report is the same event.
  expect(new Set(events.map(({ dedupeKey }) => dedupeKey)).size).toBe(3)
})

test.each([
  ['comtele', 'detailedreporting', 'replyreporting'],
  ['smsdev', 'dlr', 'inbox'],
] as const)(
  '%s: who does not say what became of messages still says what was said, and carries on',
  async (is, reports, inbox) => {
    const { sms, adapter, events, statuses, stored, send, isOver } = await opened(is)
    await until(() => statuses.includes('CONNECTED') && stored.has('waiting'))
    const { providerId } = await send('Seu pedido saiu')
    sms.got[0]!.state = 'delivered'
    sms.replies.push({ id: '77', from: MOBILE, text: 'Obrigada!' })
    sms.faults.failing = reports
    adapter.look!()
    await until(() => isOver() || events.length > 0)
    expect(events).toMatchObject([{ type: 'message', message: { body: 'Obrigada!' } }])
    sms.faults.failing = inbox
    adapter.look!()
    await until(() => isOver() || events.length > 1)
    expect(events[1]).toMatchObject({ type: 'receipt', providerId, status: 'delivered' })
    expect(isOver()).toBe(false)
  },
)

test('more replies than are handed over together come in all the same', async () => {
  const { sms, adapter, events, statuses, stored } = await opened('comtele')
  await until(() => statuses.includes('CONNECTED') && stored.has('waiting'))
  for (let n = 0; n < 1201; n++) sms.replies.push({ id: `r${n}`, from: MOBILE, text: `${n}` })
  adapter.look!()
  await until(() => events.length >= 1201)
  expect(new Set(events.map(({ dedupeKey }) => dedupeKey)).size).toBe(1201)
})

test('what waits for its report outlasts the process', async () => {
  const { adapter, stored, statuses, send } = await opened('smsdev')
  await until(() => statuses.includes('CONNECTED') && stored.has('waiting'))
  const { providerId } = await send('Seu pedido saiu')
  adapter.look!()
  await until(() => JSON.stringify(stored.get('waiting')).includes(providerId))
})

test('Zenvia is told where to call, once', async () => {
  const { sms, adapter, statuses } = await opened('zenvia')
  await until(() => statuses.includes('CONNECTED'))
  expect(sms.subscriptions).toMatchObject([
    { eventType: 'MESSAGE', webhook: { url: 'https://guiche.example/api/hooks/x' } },
    { eventType: 'MESSAGE_STATUS', status: 'ACTIVE' },
  ])
  await adapter.setWebhook!()
  expect(sms.subscriptions).toHaveLength(2)
})

test.each(['twilio', 'zenvia', 'infobip', 'comtele', 'smsdev'] as const)(
  '%s: a key that is worth nothing stops the line, and says so in a sentence',
  async (is) => {
    const { tools, sms } = await opened(is)
    const settings = { ...tools.settings, key: 'outra' }
    const adapter = smsAdapter({}, { ...tools, settings })
    const link = { state: { get: async () => new Map(), clear: async () => {} } } as Partial<Link> as Link
    const error = await adapter.open!(link).then(
      () => null,
      (failed: unknown) => failed,
    )
    expect(stopCauseOf(error)).toBe('token')
    expect(await adapter.testSettings!()).toMatchObject({ ok: false, problem: expect.stringContaining('chave') })
    const failure = await adapter
      .send({ conversationKey: MOBILE, body: 'x', messageId: 'm' } as Outbound)
      .catch((e) => e)
    expect(failure).toMatchObject({ kind: 'unreachable', stops: 'token' })
    expect(sms.got).toEqual([])
  },
)

test.each(['twilio', 'zenvia', 'infobip', 'comtele', 'smsdev', 'http'] as const)(
  '%s: what it refuses, also within 200, is refused; while it is busy messages wait',
  async (is) => {
    const { sms, send } = await opened(is)
    sms.faults.unreached.add(MOBILE)
    const refused = await send('Oi').catch((error: unknown) => error)
    expect(isSendFailure(refused) && refused.kind).toBe('refused')
    sms.faults.isBusy = true
    expect(await send('Oi').catch((error: unknown) => error)).toMatchObject({ kind: 'unreachable' })
    sms.faults.isBusy = false
    sms.faults.unreached.clear()
    sms.faults.lostAnswers = 1
    expect(await send('Oi').catch((error: unknown) => error)).toMatchObject({ kind: 'unknown' })
  },
)

test('a landline gets none, and nothing is asked of the provider', async () => {
  const { sms, send } = await opened('twilio')
  for (const number of ['551933334444', '5519333344445', '5511900000000'])
    expect(await send('Oi', number).catch((error: unknown) => error)).toMatchObject({
      ...{ kind: 'refused', message: 'O número é de uma linha fixa, que não recebe SMS.' },
    })
  expect(sms.got).toEqual([])
})

test('a number of another country is written to as it stands, also where it could be read as one of Brazil', async () => {
  const { sms, send } = await opened('twilio')
  for (const number of ['51987654321', '12025550101']) await send('Oi', number)
  expect(sms.got.map(({ to }) => to)).toEqual(['51987654321', '12025550101'])
})

test('accents go or stay, as it is set; what is said of a message stands in a form as it was', async () => {
  const plain = await opened('twilio', { from: 'MG123', isPlain: true })
  await plain.send('Não há pão às 15h & “já”')
  expect(plain.sms.got).toMatchObject([{ text: 'Nao ha pao as 15h & "ja"' }])
  const whole = await opened('http')
  await whole.send('Não há "pão" às 15h\n& {key} 100%')
  expect(whole.sms.got).toMatchObject([{ text: 'Não há "pão" às 15h\n& {key} 100%', to: MOBILE }])
})

test('a call that Twilio has not signed is not from it', async () => {
  const { adapter, tools } = await opened('twilio')
  const call = (signature: string) =>
    adapter.receive!({
      ...{ method: 'POST', url: tools.door!.url!, query: {} },
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature },
      body: new TextEncoder().encode('MessageSid=SM1&From=%2B5519998124407&Body=Oi'),
    })
  expect(await call('')).toEqual({ isGenuine: false })
  expect(await call('AAAA')).toEqual({ isGenuine: false })
})

test('one that answers in words has taken it where the status decides; where it is to say so it has not', async () => {
  const { tools } = await opened('http')
  const fetchBy: ChannelTools['fetch'] = async (address) => ({
    ...{ url: address, status: 200, headers: {} },
    body: Buffer.from('OK'),
  })
  const send = (settings: object) =>
    smsAdapter({}, { ...tools, settings: { ...tools.settings, ...settings }, fetch: fetchBy }).send({
      ...{ conversationKey: MOBILE, body: 'Oi', messageId: 'nossa' },
    } as Outbound)
  expect(await send({ okAt: '', idAt: '' })).toEqual({ providerId: 'nossa' })
  await expect(send({})).rejects.toMatchObject({ kind: 'unknown' })
  await expect(send({ body: '{"para": {to},}' })).rejects.toMatchObject({
    ...{ kind: 'refused', message: expect.stringContaining('JSON') },
  })
})

test('of another provider it is said what was tried: whether it answers, and whether its body can be read', async () => {
  const { tools } = await opened('http')
  const tested = (settings: object) =>
    smsAdapter({}, { ...tools, settings: { ...tools.settings, ...settings } }).testSettings!()
  expect(await tested({})).toMatchObject({ ok: true, note: expect.stringContaining('só um envio diz') })
  expect(await tested({ body: '{"para": {to},}' })).toMatchObject({
    ok: false,
    problem: expect.stringContaining('JSON'),
  })
})

test('without a key nobody signs as Twilio does', async () => {
  const { tools } = await opened('twilio')
  const { receive } = smsAdapter({}, { ...tools, settings: { ...tools.settings, key: '' } })
  const url = tools.door!.url!
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const signature = twilioSignature('', url, { MessageSid: 'SM1' })
  const call = { method: 'POST', url, query: {}, body: Buffer.from('MessageSid=SM1') } as const
  expect(receive!({ ...call, headers: { ...headers, 'x-twilio-signature': signature } })).toEqual({ isGenuine: false })
})
