import { createHmac } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WebhookRequest } from '#providers/channels/port.ts'
import { twilioSignature } from '#providers/channels/sms/twilio.ts'
import { HTTP_FORM } from '#test/channels/sms-end.ts'

type Json = Readonly<Record<string, unknown>>

/** Our endpoint for a provider: address, connection name and secret. */
export type Called = { readonly url: string; readonly name: string; readonly secret: string }

/** Provider whose webhook calls are attacked. */
export type Attacked = {
  readonly channel: string
  readonly type: string
  /** Filled-in settings of the provider, and values of one connection. */
  readonly settings: Json
  readonly values: Json
  /** Complete valid calls of the provider. */
  readonly calls: readonly unknown[]
  /** Adds to a call what makes it genuine for the provider, however wrong the rest is. */
  readonly genuine?: (call: Json, door: Called) => Json
  readonly headers?: (body: string, door: Called, call: unknown) => Json
  readonly isForm?: true
}

const channels = join(import.meta.dirname, '../../src/providers/channels')

/** Reads the recorded payloads of a provider, one of each kind. */
const recorded = (folder: string): Json[] =>
  globSync(`${folder}/fixtures/*.json`, { cwd: channels })
    .sort()
    .flatMap((file) => {
      const { payload } = JSON.parse(readFileSync(join(channels, file), 'utf8')) as { payload: Json | null }
      return payload ? [payload] : []
    })

const jid = '5519998124407@s.whatsapp.net'
const group = '120363021000000001@g.us'
const SECRET = 'segredo do aplicativo'
const signed = (body: string) => createHmac('sha256', SECRET).update(body).digest('hex')

const evolution = (event: string, data: unknown) => ({
  event,
  instance: '',
  data,
  date_time: '2026-03-04T12:00:00.000Z',
})
const key = { id: '3EB0A1', remoteJid: jid, fromMe: false }
const uazapi = (about: Json) => ({ EventType: 'messages_update', owner: '5519999990000', ...about })
const wuzapi = (type: string, event: Json, more: Json = {}) => ({ type, event, ...more })
const info = { ID: 'A', Chat: jid, Sender: jid, IsFromMe: false, PushName: 'Otávio', Timestamp: '2026-07-01T10:00:00Z' }
const zapi = (type: string, more: Json) => ({
  type,
  messageId: 'M',
  phone: '5519998124407',
  momment: 1_761_040_800_000,
  ...more,
})

/** Returns Meta's envelope of an event for a number, a page or an Instagram account. */
const meta = (value: Json, field = 'messages') => ({
  object: 'whatsapp_business_account',
  entry: [{ id: 'W', changes: [{ field, value: { metadata: { phone_number_id: 'P' }, ...value } }] }],
})
const contacts = [{ profile: { name: 'Otávio' }, wa_id: '5519998124407', user_id: 'BR.15' }]
const heard = (message: Json) =>
  meta({ contacts, messages: [{ from: '5519998124407', id: 'wamid.1', timestamp: '1760000000', ...message }] })
const direct = (object: string) => (message: Json) => ({
  object,
  entry: [
    {
      ...{ id: 'P', time: 1_760_000_000_000 },
      messaging: [
        {
          sender: { id: '7700' },
          recipient: { id: 'P' },
          timestamp: 1_760_000_000_000,
          message: { mid: 'm.1', ...message },
        },
      ],
    },
  ],
})
const app = { appId: '99', appSecret: SECRET, verifyToken: 'palavra', version: 'v24.0' }
const byApp = { settings: app, headers: (body: string) => ({ 'x-hub-signature-256': `sha256=${signed(body)}` }) }

const sms = (provider: string, more: Partial<Attacked> = {}): Attacked => ({
  ...{ channel: 'sms', type: 'sms', values: { from: '+5519999990000', isPlain: false } },
  settings: {
    provider,
    url: 'https://sms.example',
    key: SECRET,
    account: 'AC1',
    ...(provider === 'http' ? HTTP_FORM : {}),
  },
  calls: recorded(`sms/recorded/${provider}`),
  ...more,
})

/** Providers with webhooks, with their recorded calls. */
export const attacked: Readonly<Record<string, Attacked>> = {
  uazapi: {
    ...{ channel: 'uazapi', type: 'uazapi', values: {}, settings: { url: 'https://gateway.example', key: SECRET } },
    genuine: (call, { name }) => ({ ...call, instanceName: name }),
    calls: [
      ...recorded('uazapi'),
      uazapi({ event: { MessageIDs: ['A'], Type: 'Read', Chat: jid, Sender: jid, Timestamp: '2026-07-01T10:00:00Z' } }),
      uazapi({ event: { MessageIDs: ['A'], Type: 'Deleted', Chat: group, Sender: jid, IsFromMe: false } }),
      { EventType: 'contacts', event: { JID: jid, PictureID: '5', Remove: false, Timestamp: '2026-07-01T10:00:00Z' } },
      {
        EventType: 'messages',
        message: {
          messageid: 'A',
          chatid: group,
          sender: jid,
          messageType: 'ReactionMessage',
          text: '👍',
          reaction: 'o:B',
          messageTimestamp: 1_760_000_000_000,
        },
      },
    ],
  },
  evolution: {
    ...{
      channel: 'evolution',
      type: 'evo',
      values: {},
      settings: { url: 'https://gateway.example', key: SECRET },
    },
    genuine: (call, { name }) => ({ ...call, instance: name }),
    calls: [
      ...recorded('evolution'),
      evolution('messages.update', { keyId: 'A', remoteJid: jid, fromMe: true, status: 'READ' }),
      evolution('messages.delete', { ...key, participant: '1000@lid', participantAlt: jid }),
      evolution('messages.edited', {
        key,
        type: 14,
        editedMessage: { conversation: 'Certo' },
        timestampMs: '1760000000000',
      }),
      evolution('groups.upsert', [
        { id: group, subject: 'Vizinhos', participants: [{ id: '1000@lid', phoneNumber: jid, admin: null }] },
      ]),
      evolution('group-participants.update', { id: group, author: jid, action: 'add', participants: [jid] }),
      evolution('contacts.update', [{ remoteJid: jid, profilePicUrl: 'https://pps.example/1.jpg' }]),
      evolution('messages.upsert', {
        key,
        pushName: 'Otávio',
        messageTimestamp: 1_760_000_000,
        message: { reactionMessage: { key, text: '👍', senderTimestampMs: '1760000000001' } },
      }),
      evolution('messages.upsert', {
        key,
        messageTimestamp: 1_760_000_000,
        message: {
          associatedChildMessage: { message: { imageMessage: { caption: 'Portão', mimetype: 'image/jpeg' } } },
        },
      }),
    ],
  },
  zapi: {
    ...{ channel: 'zapi', type: 'zapi', settings: { url: 'https://gateway.example', key: SECRET } },
    values: { wabaId: 'I1', tokenAPI: 'T1' },
    genuine: (call) => ({ ...call, instanceId: 'I1' }),
    calls: [
      ...recorded('zapi'),
      zapi('MessageStatusCallback', { status: 'READ', ids: ['A'] }),
      zapi('DeliveryCallback', { error: 'x' }),
      zapi('ReceivedCallback', { reaction: { value: '👍', referencedMessage: { messageId: 'A' } } }),
      zapi('ReceivedCallback', { notification: 'REVOKE', notificationParameters: ['A'] }),
      zapi('ReceivedCallback', {
        isGroup: true,
        phone: '120363021000000001-group',
        participantPhone: '5519998124407',
        text: { message: 'Oi @5519998124408' },
        mentioned: ['5519998124408'],
        photo: 'https://pps.example/1.jpg',
      }),
      zapi('ReceivedCallback', { product: { title: 'Camisa', price: 59.9, currencyCode: 'BRL' } }),
    ],
  },
  wuzapi: {
    ...{ channel: 'wuzapi', type: 'meow', values: {}, settings: { url: 'https://gateway.example', key: SECRET } },
    genuine: (call, { name }) => ({ ...call, instanceName: name }),
    headers: (body, { secret }) => ({ 'x-hmac-signature': createHmac('sha256', secret).update(body).digest('hex') }),
    calls: [
      ...recorded('wuzapi'),
      wuzapi(
        'ReadReceipt',
        { MessageIDs: ['A', 'B'], Chat: jid, Sender: jid, Timestamp: info.Timestamp },
        { state: 'Read' },
      ),
      wuzapi('Picture', { JID: jid, Timestamp: info.Timestamp }),
      wuzapi('UndecryptableMessage', { Info: info, IsUnavailable: false }),
      wuzapi('Message', {
        Info: { ...info, Chat: group },
        Message: { protocolMessage: { key: { ID: 'A' }, type: 0 } },
      }),
    ],
  },
  telegram: {
    ...{
      channel: 'telegram',
      type: 'telegram',
      settings: {},
      values: { tokenTelegram: '4242:segredo-do-bot-de-testes-00000000000' },
    },
    headers: (_, { secret }) => ({ 'x-telegram-bot-api-secret-token': secret }),
    calls: recorded('telegram'),
  },
  hub: {
    ...{ channel: 'hub', type: 'hub', settings: { url: 'https://hub.example', key: SECRET } },
    values: { channelId: '0f5ac9a2-6a35-4b0b-9d0c-2a55a3f06c8e', channel: 'hub_whatsapp_business_account' },
    calls: recorded('hub'),
  },
  meta: {
    ...{ channel: 'meta', type: 'waba', ...byApp, values: { tokenAPI: 'P', wabaId: 'W', bmToken: 'T' } },
    calls: [
      ...recorded('meta').map(heard),
      meta({
        statuses: [
          {
            id: 'wamid.1',
            status: 'failed',
            timestamp: '1760000000',
            recipient_id: '5519998124407',
            errors: [{ code: 131047, title: 'x' }],
          },
        ],
      }),
      heard({ type: 'reaction', reaction: { message_id: 'wamid.2', emoji: '👍' } }),
      heard({
        type: 'contacts',
        contacts: [{ name: { formatted_name: 'Rui' }, phones: [{ phone: '+55 11 9', wa_id: '55119' }] }],
      }),
      heard({
        type: 'order',
        order: {
          catalog_id: 'C',
          text: 'Hoje',
          product_items: [{ product_retailer_id: 'R', quantity: 2, item_price: 5, currency: 'BRL' }],
        },
      }),
    ],
  },
  messenger: {
    ...{ channel: 'meta', type: 'messenger', ...byApp, values: { tokenAPI: 'P', wabaId: 'B', bmToken: 'T' } },
    calls: recorded('meta/direct/messenger').map(direct('page')),
  },
  instagram: {
    ...{ channel: 'meta', type: 'instagram', ...byApp, values: { tokenAPI: 'P', bmToken: 'T' } },
    calls: recorded('meta/direct/instagram').map(direct('instagram')),
  },
  'sms of Twilio': sms('twilio', {
    isForm: true,
    headers: (_, { url }, call) => ({
      'x-twilio-signature': twilioSignature(SECRET, url, call as Record<string, string>),
    }),
  }),
  'sms of Zenvia': sms('zenvia'),
  'sms of Infobip': sms('infobip'),
  'sms of Comtele': sms('comtele'),
  'sms of SMSDev': sms('smsdev'),
  'sms by HTTP': sms('http'),
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Builds the HTTP request of a provider's call with any content. */
export function requestOf({ genuine, headers, isForm }: Attacked, given: unknown, door: Called): WebhookRequest {
  const call = genuine && isObject(given) ? genuine(given, door) : given
  const fields =
    isForm && isObject(call)
      ? Object.entries(call).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)])
      : []
  const form = Object.fromEntries(fields) as Record<string, string>
  const body = isForm ? new URLSearchParams(form).toString() : (JSON.stringify(call) ?? '')
  return {
    ...{ method: 'POST', url: door.url, query: {}, body: Buffer.from(body) },
    headers: {
      'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
      ...((headers?.(body, door, form) ?? {}) as Record<string, string>),
    },
  }
}
