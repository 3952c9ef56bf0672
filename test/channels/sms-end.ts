import { randomUUID } from 'node:crypto'
import type { SmsProviderId } from '#providers/channels/sms/config.ts'
import { startSms } from '#test/peers/sms.ts'
import type { ContactEnd, OpenContactEnd } from './contact-end.ts'
import { linkedByGateway } from './gateway-end.ts'

type Json = Readonly<Record<string, unknown>>

const ME = '5519998124407'

/** Filled-in form of a generic HTTP provider. */
export const HTTP_FORM = {
  headers: 'Authorization: Bearer {key}\nX-Sistema: Guichê',
  body: '{"para":"{to}","texto":"{text}","codigo":"{id}"}',
  ...{ idAt: 'data.id', okAt: 'success', okIs: 'true' },
  ...{ replyFromAt: 'de', replyTextAt: 'mensagem', replyIdAt: 'codigo' },
  ...{ reportIdAt: 'id', reportStatusAt: 'situacao', deliveredWords: 'ENTREGUE', failedWords: 'FALHOU, EXPIRADA' },
}

/** Returns the settings that connect the product to a stand-in. */
export const settingsFor = (is: SmsProviderId, { address, key, account }: Awaited<ReturnType<typeof startSms>>) => ({
  ...{ provider: is, key, account: is === 'twilio' ? account : '' },
  url: is === 'http' ? `${address}/enviar?rota=a` : address,
  ...(is === 'http' ? HTTP_FORM : {}),
})

/** Builds each provider's payloads of a contact's message and of a message status. */
const toldAs = {
  twilio: {
    said: (body: Json, id: string) => ({ ...body, MessageSid: id, SmsSid: id }),
    status: (id: string, state: string) => ({
      MessageSid: id,
      MessageStatus: state,
      To: `+${ME}`,
      From: '+5519999990000',
    }),
  },
  zenvia: {
    said: (body: Json, id: string) => ({ ...body, id, message: { ...(body['message'] as Json), id } }),
    status: (id: string, state: string) => ({
      ...{ id: randomUUID(), type: 'MESSAGE_STATUS', channel: 'sms', messageId: id, contentIndex: 0 },
      messageStatus: { timestamp: '2026-07-01T13:00:00Z', code: state.toUpperCase(), description: '' },
    }),
  },
  infobip: {
    said: (body: Json, messageId: string) => ({ results: [{ ...(body['results'] as Json[])[0], messageId }] }),
    status: (messageId: string, state: string) => ({
      results: [{ messageId, to: ME, status: { groupName: state.toUpperCase(), name: 'DELIVERED_TO_HANDSET' } }],
    }),
  },
  comtele: {
    said: (body: Json, Id: string) => ({ ...body, Id }),
    status: (RequestUniqueId: string) => ({ RequestUniqueId, Receiver: ME, Status: 'Entregue' }),
  },
  smsdev: {
    said: (body: Json, id_sms_read: string) => ({ ...body, id_sms_read }),
    status: (id: string) => ({ id, situacao: 'OK', codigo: '1', descricao: 'RECEBIDA', telefone: ME }),
  },
  http: {
    said: (body: Json, codigo: string) => ({ ...body, codigo }),
    status: (id: string) => ({ id, situacao: 'Entregue' }),
  },
} satisfies Record<SmsProviderId, { said: unknown; status: unknown }>

/** A person with a mobile phone, whom the company reaches by a provider of text messages. */
export const openMobile =
  (is: SmsProviderId): OpenContactEnd =>
  async (product, { token }): Promise<ContactEnd> => {
    const sms = await startSms(is)
    const connection = await linkedByGateway(product, token, {
      ...{ type: 'sms', provider: 'sms', settings: settingsFor(is, sms) },
      ...{ config: { from: '+5519999990000', isPlain: false }, scan: async () => {} },
    })
    await connection.start()
    await connection.is('CONNECTED')
    const door = (await connection.read()).webhookUrl!
    const told = toldAs[is]
    const tell = async (url: string, about: Json) => {
      const status = await sms.tell(url, about)
      if (status !== 200) throw new Error(`${status}`)
    }
    return {
      connectionId: connection.id,
      write: ({ payload }) => tell(door, told.said(payload!, randomUUID())),
      arrived: async () => sms.got.map(({ id, text }) => ({ id, body: text, quotes: null, file: null })),
      confirm: (state, id) => tell(door, told.status(id, state)),
      seesTyping: () => false,
      loseAnswer: () => void sms.faults.lostAnswers++,
      async tellOfLost(body) {
        const { id, callback } = sms.got.find(({ text }) => text === body)!
        await tell(callback, told.status(id, 'sent'))
      },
      close: sms.close,
    }
  }
