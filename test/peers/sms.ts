import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textIn } from 'node:stream/consumers'
import type { SmsProviderId } from '#providers/channels/sms/config.ts'
import { twilioSignature } from '#providers/channels/sms/twilio.ts'

type Json = Readonly<Record<string, unknown>>
type Told = { readonly status: number; readonly body: unknown }
/** A text message that reached a phone. */
export type SmsGot = {
  readonly id: string
  readonly to: string
  readonly text: string
  state: string
  callback: string
}
type Asked = {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: Json
}

const ok = (body: unknown, status = 200): Told => ({ status, body })

/** Returns the API key of a request, by provider. */
const KEY_OF: Readonly<Record<SmsProviderId, (asked: Asked) => unknown>> = {
  twilio: ({ headers }) => Buffer.from(String(headers['authorization']).slice(6), 'base64').toString().split(':')[1],
  zenvia: ({ headers }) => headers['x-api-token'],
  infobip: ({ headers }) => String(headers['authorization']).replace(/^App /, ''),
  comtele: ({ headers }) => headers['auth-key'],
  smsdev: ({ body }) => body['key'],
  http: ({ headers }) => String(headers['authorization']).replace(/^Bearer /, ''),
}
const REFUSED: Readonly<Record<SmsProviderId, Told>> = {
  twilio: ok({ code: 20003, message: 'Authenticate', more_info: '', status: 401 }, 401),
  zenvia: ok({ code: 'AUTHENTICATION_ERROR', message: 'No authorization token was found' }, 401),
  infobip: ok(
    { requestError: { serviceException: { messageId: 'UNAUTHORIZED', text: 'Invalid login details' } } },
    401,
  ),
  comtele: ok('', 401),
  // 200, as all that it refuses.
  smsdev: ok({ situacao: 'ERRO', codigo: '401', descricao: 'KEY INVALIDA' }),
  http: ok({ success: false }, 401),
}

/**
 * Starts a text message provider with its documented API, and the phones behind it: it refuses `unreached` numbers with its
 * own error, and an address that ends in `failing` responds with 500.
 */
export async function startSms(is: SmsProviderId) {
  const key = randomBytes(16).toString('hex')
  const account = `AC${randomBytes(16).toString('hex')}`
  const got: SmsGot[] = []
  const replies: { id: string; from: string; text: string }[] = []
  const subscriptions: Json[] = []
  const calls: Asked[] = []
  const faults = { lostAnswers: 0, isBusy: false, unreached: new Set<string>(), failing: '' }
  const take = (to: string, text: string, callback = '', id: string = randomUUID()): SmsGot => {
    const one = { id, to: to.replace(/\D/g, ''), text, state: 'sent', callback }
    got.push(one)
    return one
  }
  const words: Readonly<Record<SmsProviderId, (asked: Asked) => Told>> = {
    twilio({ path, body }) {
      if (path === `/2010-04-01/Accounts/${account}.json`) return ok({ sid: account, status: 'active' })
      const to = String(body['To'])
      if (!body['From'] && !body['MessagingServiceSid']) return ok({ code: 21603, message: 'A From is required' }, 400)
      if (faults.unreached.has(to.slice(1))) return ok({ code: 21614, message: 'not a mobile number' }, 400)
      const { id } = take(
        to,
        String(body['Body']),
        String(body['StatusCallback'] ?? ''),
        `SM${randomBytes(16).toString('hex')}`,
      )
      return ok({ sid: id, status: 'queued', num_segments: '1', error_code: null }, 201)
    },
    zenvia({ method, path, body }) {
      if (path === '/v2/subscriptions' && method === 'GET') return ok(subscriptions)
      if (path === '/v2/subscriptions') return ok(subscriptions[subscriptions.push({ id: randomUUID(), ...body }) - 1])
      const [{ text = '' } = {}] = body['contents'] as { text?: string }[]
      if (faults.unreached.has(String(body['to'])))
        return ok({ code: 'VALIDATION_ERROR', message: 'Validation error', details: [{ path: 'to' }] }, 400)
      return ok({ id: take(String(body['to']), text).id, direction: 'OUT', channel: 'sms' })
    },
    infobip({ path, body }) {
      if (path === '/account/1/balance') return ok({ balance: 10, currency: 'BRL' })
      const [message] = body['messages'] as {
        destinations: { to: string; messageId: string }[]
        content: { text: string }
        webhooks?: { delivery: { url: string } }
      }[]
      const { to, messageId } = message!.destinations[0]!
      if (faults.unreached.has(to))
        return ok({
          bulkId: '1',
          messages: [{ messageId, status: { groupName: 'REJECTED', name: 'REJECTED_NETWORK' } }],
        })
      take(to, message!.content.text, message!.webhooks?.delivery.url, messageId)
      return ok({ bulkId: '1', messages: [{ messageId, status: { groupName: 'PENDING', name: 'PENDING_ACCEPTED' } }] })
    },
    comtele({ path, body }) {
      const answer = (what: unknown) => ok({ Success: true, Object: what, Message: '' })
      if (path === '/api/v2/credits') return answer(100)
      if (path === '/api/v2/replyreporting')
        return answer(replies.map(({ id, from, text }) => ({ Id: id, Receiver: from, ReceivedContent: text })))
      if (path === '/api/v2/detailedreporting')
        return answer(
          got.map(({ id, to, state }) => ({ RequestUniqueId: id, Receiver: to, Status: comteleState(state) })),
        )
      if (faults.unreached.has(String(body['Receivers'])))
        return ok({ Success: false, Object: null, Message: 'Invalido' })
      return answer({ requestUniqueId: take(String(body['Receivers']), String(body['Content'])).id })
    },
    smsdev({ path, body }) {
      if (path === '/v1/balance') return ok({ situacao: 'OK', saldo_sms: '100' })
      if (path === '/v1/inbox')
        return ok(
          replies.length === 0
            ? [{ situacao: 'OK', descricao: 'NENHUMA MENSAGEM' }]
            : replies.map(({ id, from, text }) => ({
                ...{ situacao: 'OK', id_sms_read: id, telefone: from.slice(2), descricao: text },
              })),
        )
      if (path === '/v1/dlr')
        return ok(
          (body['id'] as string[]).map((id) => ({
            situacao: 'OK',
            codigo: '1',
            descricao: smsdevState(got.find((one) => one.id === id)?.state),
          })),
        )
      if (faults.unreached.has(String(body['number'])))
        return ok({ situacao: 'ERRO', codigo: '402', descricao: 'NUMBER INVALIDO' })
      const { id } = take(String(body['number']), String(body['msg']), '', String(1_000_000 + got.length))
      return ok([{ situacao: 'OK', codigo: '1', id, descricao: 'MENSAGEM NA FILA' }])
    },
    http({ body }) {
      if (faults.unreached.has(String(body['para']))) return ok({ success: false, data: {} })
      return ok({ success: true, data: { id: take(String(body['para']), String(body['texto'])).id } })
    },
  }

  const server = createServer(async (request, response) => {
    const { pathname: path, searchParams: query } = new URL(String(request.url), 'http://sms')
    const said = await textIn(request)
    const isForm = String(request.headers['content-type']).includes('form')
    const body = said === '' ? {} : isForm ? Object.fromEntries(new URLSearchParams(said)) : (JSON.parse(said) as Json)
    const asked = { method: String(request.method), path, query, headers: request.headers, body }
    calls.push(asked)
    const isKnown = KEY_OF[is](asked) === key
    const before = got.length
    const told = faults.isBusy
      ? ok({ code: 20429, message: 'Too Many Requests' }, 429)
      : isKnown
        ? faults.failing && path.endsWith(faults.failing)
          ? ok({}, 500)
          : words[is](asked)
        : REFUSED[is]
    if (got.length > before && faults.lostAnswers > 0) {
      faults.lostAnswers--
      return void request.socket.destroy()
    }
    response.writeHead(told.status, { 'content-type': 'application/json' })
    response.end(told.body === '' ? '' : JSON.stringify(told.body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  /** Calls a webhook as the provider does; returns the status. */
  async function tell(url: string, body: Json): Promise<number> {
    const isForm = is === 'twilio'
    const fields = body as Readonly<Record<string, string>>
    const reply = await fetch(url, {
      method: 'POST',
      headers: isForm
        ? {
            'content-type': 'application/x-www-form-urlencoded',
            'x-twilio-signature': twilioSignature(key, url, fields),
          }
        : { 'content-type': 'application/json' },
      body: isForm ? new URLSearchParams(fields) : JSON.stringify(body),
    })
    return reply.status
  }

  return {
    ...{ key, account, got, replies, subscriptions, calls, faults, tell },
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

const comteleState = (state: string): string => ({ delivered: 'Entregue', failed: 'Não Entregue' })[state] ?? 'Enviado'
const smsdevState = (state = ''): string => ({ delivered: 'RECEBIDA', failed: 'ERRO' })[state] ?? 'ENVIADA'
