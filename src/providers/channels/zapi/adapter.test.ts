import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { ContactAct, OpenContactEnd } from '#test/channels/contact-end.ts'
import {
  arrivedBy,
  groupKnown,
  inGroup,
  linkedByGateway,
  look,
  NADIA,
  OTAVIO,
  SHOP,
} from '#test/channels/gateway-end.ts'
import { pictureOf } from '#test/channels/picture-check.ts'
import { channelSuite } from '#test/channels/suite.ts'
import { startZapi } from '#test/peers/zapi.ts'
import { zapiConfig } from './config.ts'
import { readCall } from './inbound.ts'

const statuses = { delivered: 'RECEIVED', read: 'READ', played: 'PLAYED' } as const

/** Person who writes to the phone of an instance of Z-API. */
const openInstance: OpenContactEnd = async (product, { token, tenantId }) => {
  const zapi = await startZapi()
  for (const { number, name } of [OTAVIO, NADIA, SHOP]) zapi.people.set(number, name)
  zapi.pictures.set(OTAVIO.number, await pictureOf('#d01010'))
  let photo: string | null = `${zapi.address}/picture/first`
  const settings = { url: zapi.address, key: zapi.key }
  const config = { wabaId: zapi.instance.id, tokenAPI: zapi.instance.token }
  const { scan } = zapi
  const connection = await linkedByGateway(product, token, { type: 'zapi', provider: 'zapi', settings, config, scan })
  await connection.link()
  const newId = () => randomBytes(10).toString('hex').toUpperCase()
  const now = () => product.platform.now().getTime()
  const say = (about: Readonly<Record<string, unknown>>) => {
    const base = { type: 'ReceivedCallback', messageId: newId(), phone: OTAVIO.number, fromMe: false, momment: now() }
    return zapi.tell({ ...base, chatName: OTAVIO.name, senderName: OTAVIO.name, senderPhoto: photo, ...about })
  }
  const act = (by: object, id: string, what: ContactAct) => {
    if (what.act === 'react')
      return say({ ...by, reaction: { value: what.reaction, time: now(), referencedMessage: { messageId: id } } })
    if (what.act === 'edit') return say({ ...by, messageId: id, isEdit: true, text: { message: what.body } })
    return say({ ...by, messageId: newId(), notification: 'REVOKE', referenceMessageId: id })
  }
  let opened = 0
  return {
    connectionId: connection.id,
    async write({ payload, file }, quotes) {
      const told = structuredClone(payload) as Record<string, Record<string, unknown>>
      const messageId = newId()
      const kind = Object.keys(told).find((name) => told[name]?.[`${name}Url`])
      if (file && kind) {
        zapi.media.set(messageId, { bytes: Buffer.from(file.base64, 'base64'), mime: file.mime })
        told[kind]![`${kind}Url`] = `${zapi.address}/media/${messageId}`
      }
      const { instanceId: _, momment: __, senderPhoto: ___, ...rest } = told
      await say({ ...rest, messageId, ...(quotes ? { referenceMessageId: quotes } : {}) })
    },
    arrived: async () => zapi.got.filter(({ to }) => to === OTAVIO.number).map(arrivedBy),
    confirm: (status, id) =>
      zapi.tell({
        type: 'MessageStatusCallback',
        status: statuses[status],
        ids: [id],
        momment: now(),
        phone: OTAVIO.number,
      }),
    look: async (picture) => {
      look(zapi, picture)
      photo = picture && `${zapi.address}/picture/${newId()}`
      await say({ text: { message: 'Mudei a foto' } })
    },
    seesTyping: () => false,
    changes: async (id) => zapi.got.find((one) => one.id === id)!,
    act: ({ providerId }, what) => act({}, providerId, what),
    async openGroup() {
      const number = `12036302${1000 + ++opened}`
      const name = `Vizinhos ${opened}`
      const members = [OTAVIO, NADIA, SHOP]
      const phone = `${number}-group`
      zapi.groups.push({ phone, name, participants: members.map((one) => ({ phone: one.number })) })
      await say({ phone, isGroup: true, chatName: name, participantPhone: OTAVIO.number, notification: 'GROUP_CREATE' })
      await groupKnown(product, tenantId, `${number}@g.us`, members.length)
      return {
        ...{ conversationKey: `${number}@g.us`, name, members: members.map((one) => one.name) },
        async write(body) {
          const message = body.replace('@Nádia', `@${NADIA.number}`)
          await say({ phone, isGroup: true, chatName: name, participantPhone: OTAVIO.number, text: { message } })
        },
        act: (member, id, what) => {
          const { number } = members.find((one) => one.name === member)!
          return act({ phone, isGroup: true, chatName: name, participantPhone: number }, id, what)
        },
        arrived: async () => zapi.got.filter(({ to }) => to === phone).map((one) => inGroup(one, NADIA.number)),
      }
    },
    scan,
    knows: { number: { given: '+55 19 99812-4407', identity: OTAVIO.number } },
    close: zapi.close,
  }
}

channelSuite(zapiConfig, import.meta.dirname, openInstance)

const read = (told: object) =>
  readCall(Buffer.from(JSON.stringify({ instanceId: 'A', phone: '5511', ...told })), 'A', new Date(0))

test('what waits to be decrypted stands there until it comes again under the same id', () => {
  const waiting = { type: 'ReceivedCallback', messageId: 'M', momment: 5, waitingMessage: true }
  expect(read(waiting)).toMatchObject({
    events: [{ event: { dedupeKey: 'M undecrypted', message: { type: 'undecrypted', providerId: 'M' } } }],
  })
  expect(read({ ...waiting, waitingMessage: false, text: { message: 'Oi' } })).toMatchObject({
    events: [{ event: { dedupeKey: 'M', message: { type: 'text', body: 'Oi' } } }],
  })
})

test('a revoke names its message in one of three places; what was queued and failed is failed', () => {
  const revoke = { type: 'receivedcallback', messageId: 'M', notification: 'REVOKE' }
  for (const [more, id] of [
    [{ referenceMessageId: 'A' }, 'A'],
    [{ notificationParameters: ['B'] }, 'B'],
    [{}, 'M'],
  ] as const)
    expect(read({ ...revoke, ...more })).toMatchObject({ events: [{ event: { type: 'revoke', providerId: id } }] })
  expect(read({ type: 'DeliveryCallback', messageId: 'M', error: 'x' })).toMatchObject({
    events: [{ event: { type: 'receipt', status: 'failed', providerId: 'M' } }],
  })
  expect(read({ type: 'ConnectedCallback', instanceId: 'B' })).toEqual({ isGenuine: false })
})

test.each([
  ['a reaction', { reaction: { value: '👍', referencedMessage: { messageId: 'A' } } }, { type: 'reaction' }],
  ['an edit', { messageId: 'A', isEdit: true, text: { message: 'b' } }, { type: 'edit', body: 'b' }],
  ['a revoke', { notification: 'REVOKE', referenceMessageId: 'A' }, { type: 'revoke' }],
])('%s on the own phone is the company’s, one of the contact’s is theirs', (_, about, becomes) => {
  const told = { type: 'ReceivedCallback', messageId: 'M', momment: 5, ...about }
  const of = { ...becomes, providerId: 'A' }
  expect(read({ ...told, fromMe: true })).toMatchObject({ events: [{ event: { ...of, fromMe: true } }] })
  expect(read(told)).toMatchObject({ events: [{ event: { ...of, author: { identity: '5511' } } }] })
})

test.each([
  ['a product', { product: { title: 'Camisa', price: 59.9, currencyCode: 'BRL' } }, 'Produto: Camisa\nR$\u00a059,90'],
  ['a product without a price', { product: { title: 'Camisa' } }, 'Produto: Camisa'],
  ['a payment without a currency', { sendPayment: { paymentInfo: { value: 1 } } }, 'Pagamento: 1'],
  ['an order to be paid', { reviewAndPay: { total: 605 } }, 'Pedido'],
  ['what became of an order', { reviewOrder: { orderStatus: 'processing' } }, 'Pedido'],
  ['a Pix key without a name', { pixKeyMessage: { key: 'chave' } }, 'Chave Pix\nchave'],
])('%s is a message', (_, about, body) => {
  for (const more of [{}, { externalAdReply: null }]) {
    const result = read({ type: 'ReceivedCallback', messageId: 'M', momment: 5, ...more, ...about })
    expect(result).toMatchObject({ events: [{ event: { type: 'message', message: { body } } }] })
    expect(result).not.toHaveProperty('unread')
  }
})

test('of what is said and nothing is made of, the name is told; what says nothing has none', () => {
  const told = { type: 'ReceivedCallback', messageId: 'M', momment: 5, externalAdReply: null, mentioned: [] }
  for (const more of [{}, { fromMe: true }, { isEdit: true }])
    expect(read({ ...told, ...more, hologram: { depth: 3 } })).toMatchObject({
      ...{ events: [], unread: ['receivedcallback hologram'] },
    })
  expect(read(told)).toMatchObject({ events: [], unread: ['receivedcallback'] })
  for (const silent of [{ pinMessage: { action: 'pin' } }, { notification: 'GROUP_CREATE' }, { isNewsletter: true }]) {
    expect(read({ ...told, ...silent })).toMatchObject({ events: [] })
    expect(read({ ...told, ...silent })).not.toHaveProperty('unread')
  }
})
