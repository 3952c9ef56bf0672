import { createHmac } from 'node:crypto'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import { textFieldIn } from '#domain/keys.ts'
import { record, textOrNumber } from '#kit/outside-fields.ts'
import { textValues } from '#kit/provider.ts'
import { isSame } from '../is-same.ts'
import {
  categoryOf,
  type MetaTemplate,
  metaTemplate,
  readTemplate,
  statusOf,
  TEMPLATE_FIELDS,
  writeTemplate,
} from '../meta-templates.ts'
import {
  type ChannelTools,
  isSendFailure,
  type MakeChannelAdapter,
  type Outbound,
  sendFailure,
  type TemplateDesk,
  type WebhookRequest,
} from '../port.ts'
import { type AppSettings, appToken, NO_SUCH_APP, type Problem, problemOf, whyNotToken } from './app.ts'
import { answerCallback } from './callbacks.ts'
import { metaFaults } from './faults.ts'
import { failureOf, fileUnavailable, type Graph, GraphRefusal, openGraph } from './graph.ts'
import { eventsIn } from './inbound.ts'
import { numberDesk, OTHER_ACCOUNT } from './numbers.ts'
import { payloadOf, recipientOf, whyNotPayload } from './outbound.ts'
import { uploadSample } from './samples.ts'
import { answers } from './schemas.ts'
import { signupDesk } from './signup.ts'
import { withUpload } from './uploads.ts'

const SCOPES = ['whatsapp_business_management', 'whatsapp_business_messaging']

/** Adapter of WhatsApp Business Platform numbers: outgoing calls of the Graph API, incoming signed webhooks of the app. */
export const metaAdapter: MakeChannelAdapter = (values, tools) => {
  const settings = textValues(tools.settings)
  const text = (name: string) => String(values[name] ?? '')
  const phoneId = text('tokenAPI')
  const graph = openGraph(tools, text('wabaVersion') || settings['version'] || 'v24.0', text('bmToken'))
  const post = (json: object) =>
    graph.ask(answers.sent, [phoneId, 'messages'], { method: 'POST', json: { messaging_product: 'whatsapp', ...json } })
  return {
    faults: metaFaults,
    async send(message) {
      const problem = whyNotPayload(message)
      if (problem) throw sendFailure('refused', problem)
      const send = (mediaId: string | null) => {
        const payload = payloadOf(message, mediaId)
        if (!payload) throw sendFailure('refused', 'Este canal não leva este tipo de mensagem.')
        return post({ recipient_type: 'individual', ...recipientOf(message.conversationKey), ...payload })
      }
      const sent = await withUpload(tools, message, () => upload(graph, tools, phoneId, message.file!), send).catch(
        (error: unknown) => {
          throw isSendFailure(error) ? error : failureOf(error, false)
        },
      )
      const providerId = sent.messages?.[0]?.id
      if (providerId === undefined) throw sendFailure('unknown', 'A Meta não disse se a mensagem saiu.')
      return { providerId }
    },
    async act(action) {
      if (action.type !== 'react') return
      const reaction = { message_id: action.providerId, emoji: action.emoji ?? '' }
      await post({ ...recipientOf(action.conversationKey), type: 'reaction', reaction }).catch((error: unknown) => {
        throw failureOf(error, false)
      })
    },
    download: (pointer) => openMedia(graph, pointer),
    async ask(question) {
      if (question !== 'templates') throw sendFailure('refused', 'ERR_CHANNEL_CANNOT')
      return await listTemplates(graph, text('wabaId'))
    },
    templates: templateDesk(graph, { wabaId: text('wabaId'), appId: settings['appId'] ?? '' }),
    numbers: numberDesk(graph, {
      ...{ phoneId, wabaId: text('wabaId'), appId: settings['appId'] ?? '' },
      ...{ verifyToken: settings['verifyToken'] ?? '', fetch: tools.fetch },
    }),
    signup: signupDesk(tools, settings),
    receive: (request) => answerCallback(settings, request) ?? receive(settings, request, tools.now().getTime()),
    test: () => testNumber({ graph, settings, phoneId, wabaId: text('wabaId'), token: text('bmToken') }),
    async testSettings() {
      const app = openGraph(tools, settings['version'] ?? '', appToken(settings))
      return app.call([settings['appId'] ?? ''], { query: { fields: 'id' } }).then(
        () => ({ ok: true }),
        (error: unknown) => problemOf(error, NO_SUCH_APP, [100, 190]),
      )
    },
  }
}

// Failures are returned to the caller as refusals.
const refusing = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw failureOf(error, true)
  })

const templates = z.looseObject({
  data: z.array(metaTemplate),
  paging: record({ next: textOrNumber, cursors: record({ after: textOrNumber }) }).optional(),
})
const MOST_PAGES = 60

async function listTemplates(graph: Graph, wabaId: string) {
  const all: MetaTemplate[] = []
  let after: string | undefined
  for (let page = 0; page < MOST_PAGES; page++) {
    const query = { fields: TEMPLATE_FIELDS, limit: '100', ...(after ? { after } : {}) }
    const { data, paging } = await refusing(graph.ask(templates, [wabaId, 'message_templates'], { query }))
    all.push(...data)
    after = paging?.next ? paging.cursors?.after : undefined
    if (!after) break
  }
  // Concurrent changes shift the pages, so a page may repeat templates of the one before.
  return [...new Map(all.map((one) => [one.id, one])).values()].map(readTemplate)
}

function templateDesk(graph: Graph, { wabaId, appId }: { wabaId: string; appId: string }): TemplateDesk {
  const edge = [wabaId, 'message_templates']
  return {
    async create(form) {
      const call = graph.ask(answers.templateMade, edge, { method: 'POST', json: writeTemplate(form) })
      const { id, status, category } = await refusing(call)
      return { id, status: statusOf(status), category: categoryOf(category) }
    },
    async edit(id, form) {
      await refusing(graph.call([id], { method: 'POST', json: writeTemplate(form, true) }))
    },
    async remove({ id, name }) {
      await refusing(graph.call(edge, { method: 'DELETE', query: { name, hsm_id: id } }))
    },
    sample: (file) => refusing(uploadSample(graph, appId, file)),
  }
}

async function upload(
  graph: Graph,
  { readFile }: ChannelTools,
  phoneId: string,
  { path, name, mime: given }: NonNullable<Outbound['file']>,
): Promise<string> {
  // Meta accepts Ogg only with Opus, declared as such.
  const type = given.startsWith('audio/ogg') ? 'audio/ogg; codecs=opus' : given
  const form = new FormData()
  form.append('messaging_product', 'whatsapp')
  form.append('type', type)
  form.append('file', new Blob([await buffer(readFile(path))], { type }), name)
  const uploaded = graph.ask(answers.named, [phoneId, 'media'], { method: 'POST', form })
  const { id } = await uploaded.catch((error: unknown) => {
    throw failureOf(error, true)
  })
  return id
}

function receive(settings: AppSettings, { method, headers, query, body }: WebhookRequest, now: number) {
  if (method === 'GET') {
    const isOurs = query['hub.mode'] === 'subscribe' && isSame(query['hub.verify_token'] ?? '', settings['verifyToken'])
    if (!isOurs) return { isGenuine: false, isHandshake: true } as const
    const answer = { contentType: 'text/plain; charset=utf-8', body: query['hub.challenge'] ?? '' }
    return { isGenuine: true, events: [], answer } as const
  }
  const secret = settings['appSecret']
  const right = secret && `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  if (!isSame(String(headers['x-hub-signature-256'] ?? ''), right)) return { isGenuine: false } as const
  return { isGenuine: true, ...eventsIn(new TextDecoder().decode(body), settings['appId'] ?? '', now) } as const
}

/** Checks everything at Meta that sending and receiving require, in order, and subscribes the app. */
async function testNumber(of: {
  graph: Graph
  settings: AppSettings
  phoneId: string
  wabaId: string
  token: string
}): Promise<{ ok: true; number: string } | Problem> {
  const { graph, settings, phoneId, wabaId, token } = of
  const problem = await whyNotToken(graph, settings, token, SCOPES)
  if (problem) return problem
  const fields = { query: { fields: 'id,display_phone_number', limit: '200' } }
  const numbers = await graph
    .ask(answers.numbers, [wabaId, 'phone_numbers'], fields)
    .then(({ data }) => ({ data }))
    .catch((error: unknown) =>
      problemOf(error, 'O token não alcança esta conta do WhatsApp Business. Confira a identificação dela.'),
    )
  if (!('data' in numbers)) return numbers
  const number = numbers.data.find(({ id }) => id === phoneId)
  if (!number) return { ok: false, problem: OTHER_ACCOUNT }
  const refusal = await graph.call([wabaId, 'subscribed_apps'], { method: 'POST' }).then(
    () => null,
    (error: unknown) =>
      problemOf(error, 'O aplicativo não pôde ser inscrito na conta: sem isso as mensagens não chegam.'),
  )
  if (refusal) return refusal
  return { ok: true, number: (number.display_phone_number ?? '').replace(/\D/g, '') || phoneId }
}

async function openMedia(graph: Graph, pointer: unknown): Promise<Readable> {
  const [mediaId, of] = [textFieldIn(pointer, 'mediaId'), textFieldIn(pointer, 'phoneId')]
  try {
    const { url } = await graph.ask(answers.media, [mediaId], { query: { phone_number_id: of } })
    return await graph.open(url)
  } catch (error) {
    // Error 100: Meta no longer has the file. An expired link is requested again with the next attempt.
    if (error instanceof GraphRefusal && error.code === 100) throw sendFailure('refused', 'Mídia expirada.')
    if (error instanceof GraphRefusal && error.status === 404) throw error
    throw fileUnavailable()
  }
}
