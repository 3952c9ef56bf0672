import { createSign } from 'node:crypto'
import { z } from 'zod'
import { readOutside } from '#kit/outside.ts'
import { record } from '#kit/outside-fields.ts'
import type { ProviderValues } from '#kit/provider.ts'
import { ask, baseOf, failureBy, parsed, readJson } from '../calls.ts'
import { AssistantFailure, type AssistantTools, type Bubble, type MakeAssistantAdapter, NO_USAGE } from '../port.ts'

const account = record({
  client_email: z.string(),
  private_key: z.string(),
  private_key_id: z.string(),
  project_id: z.string(),
})
const token = record({ access_token: z.string(), expires_in: z.number() })

const message = record({
  text: record({ text: z.array(z.string()) }),
  platform: z.string(),
  quickReplies: record({ title: z.string(), quickReplies: z.array(z.string()) }),
  image: record({ imageUri: z.string() }),
  card: record({ title: z.string(), subtitle: z.string() }),
  liveAgentHandoff: z.unknown(),
  endInteraction: z.unknown(),
})
const answer = record({
  queryResult: record({
    fulfillmentText: z.string(),
    fulfillmentMessages: z.array(message),
    responseMessages: z.array(message),
    intent: record({ displayName: z.string(), liveAgentHandoff: z.boolean() }),
  }),
})
type Message = z.output<typeof message>

/** Maximum length of a text in Dialogflow ES, in characters. */
const MOST_TEXT = 256
const SCOPE = 'https://www.googleapis.com/auth/dialogflow https://www.googleapis.com/auth/cloud-platform'
/** Time before its expiry at which a token is renewed, in ms. */
const MARGIN_MS = 60_000

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Returns the token source of a service account: JWTs signed here, for a token URL that is a setting. */
function tokens(values: ProviderValues, tools: AssistantTools) {
  let known: { token: string; until: number } | null = null
  return async (signal: AbortSignal): Promise<string> => {
    const now = tools.now().getTime()
    if (known && known.until > now) return known.token
    const read = readOutside(account, parsed(String(values['serviceAccount'] ?? '')))?.data
    if (!read?.client_email || !read.private_key)
      throw new AssistantFailure('setup', 'A conta de serviço não é o JSON que o Google dá.', { hasLeft: false })
    const url = baseOf(values['tokenUrl'])
    const iat = Math.floor(now / 1000)
    const header = { alg: 'RS256', typ: 'JWT', ...(read.private_key_id ? { kid: read.private_key_id } : {}) }
    const claims = { iss: read.client_email, scope: SCOPE, aud: url, iat, exp: iat + 3600 }
    const unsigned = `${encoded(header)}.${encoded(claims)}`
    const assertion = `${unsigned}.${signature(unsigned, read.private_key.replaceAll('\\n', '\n'))}`
    const form = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }
    const { access_token, expires_in = 3600 } = await readJson(await ask(tools, url, { form, signal }), token, signal)
    if (!access_token) throw failureBy('login')
    known = { token: access_token, until: now + expires_in * 1000 - MARGIN_MS }
    return access_token
  }
}

function signature(text: string, key: string): string {
  try {
    return createSign('RSA-SHA256').update(text).sign(key, 'base64url')
  } catch {
    throw new AssistantFailure('setup', 'A chave da conta de serviço não pôde ser lida.', { hasLeft: false })
  }
}

function bubblesOf({ text, quickReplies, image, card }: Message): Bubble[] {
  const texts = (text?.text ?? []).filter((one) => one.trim() !== '')
  const options = quickReplies?.quickReplies ?? []
  return [
    ...texts.map((one) => ({ kind: 'text' as const, text: one })),
    ...(options.length > 0
      ? [{ kind: 'options' as const, text: quickReplies?.title || 'Escolha uma opção:', options }]
      : []),
    ...(image?.imageUri ? [{ kind: 'file' as const, url: image.imageUri, type: 'image' as const }] : []),
    ...(card?.title ? [{ kind: 'text' as const, text: [card.title, card.subtitle].filter(Boolean).join('\n') }] : []),
  ]
}

// Other platforms repeat the default's messages.
const isOfDefault = ({ platform }: Message): boolean => platform === undefined || platform === 'PLATFORM_UNSPECIFIED'

/** Adapter of Dialogflow's detectIntent: ES, or CX if an agent is given. */
export const makeAdapter: MakeAssistantAdapter = (values, tools) => {
  const tokenFor = tokens(values, tools)
  return {
    async answer({ signal, text, sessionId }) {
      const bearer = await tokenFor(signal)
      const project = String(
        values['projectId'] || readOutside(account, parsed(String(values['serviceAccount'])))?.data.project_id || '',
      )
      if (!project) throw new AssistantFailure('setup', 'Informe o projeto.', { hasLeft: false })
      const { agentId, location } = values
      const languageCode = String(values['language'] || 'pt-BR')
      const at = `projects/${encodeURIComponent(project)}`
      const region = location || agentId ? `/locations/${encodeURIComponent(String(location || 'global'))}` : ''
      const path = agentId
        ? `v3/${at}${region}/agents/${encodeURIComponent(String(agentId))}/sessions/${sessionId}`
        : `v2/${at}${region}/agent/sessions/${sessionId}`
      const queryInput = agentId
        ? { text: { text }, languageCode }
        : { text: { text: text.slice(0, MOST_TEXT), languageCode } }
      const response = await ask(tools, `${baseOf(values['baseUrl'])}/${path}:detectIntent`, {
        headers: { authorization: `Bearer ${bearer}` },
        json: { queryInput },
        signal,
      })
      const { queryResult = {} } = await readJson(response, answer, signal)
      const messages = [
        ...(queryResult.fulfillmentMessages ?? []).filter(isOfDefault),
        ...(queryResult.responseMessages ?? []),
      ]
      const found = messages.flatMap(bubblesOf)
      const { fulfillmentText = '' } = queryResult
      const bubbles: Bubble[] =
        found.length > 0 || !fulfillmentText.trim() ? found : [{ kind: 'text', text: fulfillmentText }]
      const handsOver =
        queryResult.intent?.liveAgentHandoff === true || messages.some((one) => one.liveAgentHandoff !== undefined)
      if (bubbles.length === 0 && !handsOver) throw failureBy('empty')
      return { bubbles, model: queryResult.intent?.displayName ?? '', ...NO_USAGE, handle: sessionId, handsOver }
    },
  }
}
