import { createVerify, generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { typebotChats } from './typebot.ts'

/** Fault of the stand-in: a status, or a defect of its response. */
export type AssistantFault = 401 | 429 | 500 | 'silent' | 'half' | 'empty' | 'refusing' | 'large'

/** Recorded call of the stand-in. */
export type AssistantCall = {
  readonly path: string
  readonly method: string
  readonly headers: IncomingMessage['headers']
  readonly body: Record<string, unknown>
}

type Json = Record<string, unknown>
type Talk = {
  readonly call: AssistantCall
  readonly response: ServerResponse
  readonly text: string
  readonly fault: AssistantFault | undefined
}

const LARGE = 10 * 1024 * 1024
const SPEECH = readFileSync(join(import.meta.dirname, '../media/tone.mp3'))
const wordsOf = (text: string): string[] => text.match(/\S+\s*/g) ?? ['']

/** Starts all providers of assistants as one server: each family at its documented paths, with real streams. */
export async function startAssistants() {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const calls: AssistantCall[] = []
  const state = {
    /** Fault of every call until removed, or of the next `times` ones; of paths that match `faultAt`. */
    fault: undefined as AssistantFault | undefined,
    faultAt: /./,
    times: Number.POSITIVE_INFINITY,
    delayMs: 0,
    /** Response text to a question. */
    reply: (asked: string): string => `Resposta a: ${asked}`,
  }
  const typebot = typebotChats(() => address)

  const stream = (
    response: ServerResponse,
    type: string,
    chunks: readonly string[],
    fault: AssistantFault | undefined,
  ) => {
    response.writeHead(200, { 'content-type': type })
    const sent = fault === 'half' ? chunks.slice(0, Math.ceil(chunks.length / 2)) : chunks
    const next = (n: number): void => {
      if (n < sent.length) {
        response.write(sent[n])
        setImmediate(next, n + 1)
      } else if (fault === 'half') response.destroy()
      else response.end()
    }
    next(0)
  }
  const json = (response: ServerResponse, body: unknown, status = 200) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  const event = (data: unknown, name?: string): string =>
    `${name ? `event: ${name}\n` : ''}data: ${JSON.stringify(data)}\n\n`

  const families: Record<string, (talk: Talk) => void> = {
    responses({ response, text, fault, call }) {
      const content =
        fault === 'refusing'
          ? [{ type: 'refusal', refusal: 'Não posso.' }]
          : fault === 'empty'
            ? []
            : [{ type: 'output_text', text, annotations: [] }]
      const done = {
        ...{ id: 'resp_1', model: call.body['model'], status: 'completed' },
        output: [
          { type: 'reasoning', summary: [] },
          { type: 'message', role: 'assistant', id: 'msg_1', content },
        ],
        usage: { input_tokens: 11, output_tokens: 7, input_tokens_details: { cached_tokens: 3 } },
      }
      const deltas = fault === 'refusing' || fault === 'empty' ? [] : wordsOf(text)
      stream(
        response,
        'text/event-stream',
        [
          event({ type: 'response.created', response: { id: 'resp_1' } }, 'response.created'),
          ...deltas.map((delta) => event({ type: 'response.output_text.delta', delta }, 'response.output_text.delta')),
          event({ type: 'response.completed', response: done }, 'response.completed'),
        ],
        fault,
      )
    },
    chat({ response, text, fault, call }) {
      const base = { id: 'c1', object: 'chat.completion.chunk', model: call.body['model'] }
      const deltas = fault === 'refusing' || fault === 'empty' ? [] : wordsOf(text)
      stream(
        response,
        'text/event-stream; charset=utf-8',
        [
          event({ ...base, choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] }),
          ...deltas.map((content) =>
            event({ ...base, choices: [{ index: 0, delta: { content }, finish_reason: null }] }),
          ),
          event({
            ...base,
            choices: [{ index: 0, delta: {}, finish_reason: fault === 'refusing' ? 'content_filter' : 'stop' }],
          }),
          event({
            ...base,
            choices: [],
            usage: { prompt_tokens: 11, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 3 } },
          }),
          'data: [DONE]\n\n',
        ],
        fault,
      )
    },
    messages({ response, text, fault, call }) {
      const deltas = fault === 'refusing' || fault === 'empty' ? [] : wordsOf(text)
      const stop = fault === 'refusing' ? 'refusal' : 'end_turn'
      stream(
        response,
        'text/event-stream',
        [
          event(
            {
              type: 'message_start',
              message: {
                id: 'msg_1',
                model: call.body['model'],
                content: [],
                usage: { input_tokens: 8, cache_read_input_tokens: 3, output_tokens: 1 },
              },
            },
            'message_start',
          ),
          event({ type: 'ping' }, 'ping'),
          ...deltas.map((part) =>
            event(
              { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: part } },
              'content_block_delta',
            ),
          ),
          event(
            { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 7 } },
            'message_delta',
          ),
          event({ type: 'message_stop' }, 'message_stop'),
        ],
        fault,
      )
    },
    gemini({ response, text, fault }) {
      const usageMetadata = {
        promptTokenCount: 11,
        candidatesTokenCount: 7,
        cachedContentTokenCount: 3,
        totalTokenCount: 18,
      }
      if (fault === 'refusing') return json(response, { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata })
      const deltas = fault === 'empty' ? [] : wordsOf(text)
      return stream(
        response,
        'text/event-stream',
        [
          ...deltas.map((part) => event({ candidates: [{ content: { role: 'model', parts: [{ text: part }] } }] })),
          event({
            candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP' }],
            usageMetadata,
            modelVersion: 'gemini-x',
          }),
        ],
        fault,
      )
    },
    ollama({ response, text, fault, call }) {
      const line = (part: object) =>
        `${JSON.stringify({ model: call.body['model'], created_at: '2026-01-01T00:00:00Z', ...part })}\n`
      const deltas = fault === 'refusing' || fault === 'empty' ? [] : wordsOf(text)
      stream(
        response,
        'application/x-ndjson',
        [
          ...deltas.map((content) => line({ message: { role: 'assistant', content }, done: false })),
          line({
            message: { role: 'assistant', content: '' },
            done: true,
            done_reason: 'stop',
            prompt_eval_count: 11,
            eval_count: 7,
          }),
        ],
        fault,
      )
    },
    transcription({ response, fault }) {
      const text = fault === 'empty' || fault === 'refusing' ? '' : 'Quero encomendar um bolo de laranja'
      return json(response, { text })
    },
    speech({ response }) {
      response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(SPEECH)
    },
    typebot({ response, text, fault, call }) {
      if (fault === 'half')
        return stream(response, 'application/json', ['{"messages":[{"id":"m1","type":"te', 'xt"}]}'], fault)
      if (call.path.endsWith('/generate-upload-url')) {
        const { status, body } = typebot.slot(call.path, call.body)
        return json(response, body, status)
      }
      if (call.path.includes('/sessions/lost/')) return json(response, { message: 'Session expired' }, 404)
      const isStart = call.path.endsWith('/startChat')
      const isEmpty = fault === 'empty' || fault === 'refusing'
      const started = isStart ? typebot.start() : null
      const { said: again, input } = started ? { said: null, input: started.input } : typebot.goOn(call.path, call.body)
      const said = isStart ? 'Olá! Em que posso ajudar?' : (again ?? text)
      const messages = isEmpty ? [] : [{ id: 'm1', type: 'text', content: { type: 'markdown', markdown: said } }]
      return json(response, {
        ...(started ? { sessionId: started.sessionId, typebot: { id: 't1' } } : {}),
        messages,
        ...(isEmpty ? {} : { input }),
        ...(/site/.test(said)
          ? { clientSideActions: [{ type: 'redirect', redirect: { url: 'https://loja.test' } }] }
          : {}),
      })
    },
    token({ response, call }) {
      const assertion = String(call.body['assertion'])
      const [head, claims, signature] = assertion.split('.')
      const isGenuine = createVerify('RSA-SHA256')
        .update(`${head}.${claims}`)
        .verify(keys.publicKey, signature!, 'base64url')
      json(
        response,
        isGenuine ? { access_token: 'tok', expires_in: 3599, token_type: 'Bearer' } : { error: 'invalid_grant' },
        isGenuine ? 200 : 400,
      )
    },
    dialogflow({ response, text, fault }) {
      if (fault === 'half')
        return stream(response, 'application/json', ['{"queryResult":{"fulf', 'illmentText":""}}'], fault)
      const messages =
        fault === 'empty' || fault === 'refusing'
          ? []
          : [{ text: { text: [text] } }, { platform: 'TELEGRAM', text: { text: ['outra'] } }]
      return json(response, {
        responseId: 'r1',
        queryResult: {
          fulfillmentText: messages.length > 0 ? text : '',
          fulfillmentMessages: messages,
          intent: { displayName: 'Saudação' },
        },
      })
    },
    dify({ response, text, fault, call }) {
      if (fault === 'refusing')
        return stream(
          response,
          'text/event-stream',
          [event({ event: 'error', status: 400, code: 'completion_request_error', message: 'recusado' })],
          undefined,
        )
      const isWorkflow = call.path.endsWith('/workflows/run')
      const about = { task_id: 't', message_id: 'm1', conversation_id: 'c1' }
      const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 }
      const deltas = fault === 'empty' ? [] : wordsOf(text)
      return stream(
        response,
        'text/event-stream',
        isWorkflow
          ? [
              event({ event: 'workflow_started', ...about }),
              ...deltas.map((part) => event({ event: 'text_chunk', data: { text: part } })),
              event({
                event: 'workflow_finished',
                data: { status: 'succeeded', outputs: { text: fault === 'empty' ? '' : text }, total_tokens: 18 },
              }),
            ]
          : [
              'event: ping\n\n',
              ...deltas.map((part) => event({ event: 'message', answer: part, ...about })),
              event({ event: 'message_end', metadata: { usage }, ...about }),
            ],
        fault,
      )
    },
    n8n({ response, text, fault }) {
      if (fault === 'half') return stream(response, 'application/json', ['{"output":"meta', 'de"}'], fault)
      if (fault === 'refusing') return json(response, { message: 'Error in workflow' }, 500)
      return json(response, fault === 'empty' ? {} : [{ output: text }])
    },
    phone({ response }) {
      return json(response, { id: crypto.randomUUID(), status: 'queued' }, 201)
    },
    vapi({ response, text, fault }) {
      if (fault === 'half') return stream(response, 'application/json', ['{"id":"v1","out', 'put":[]}'], fault)
      const output = fault === 'empty' || fault === 'refusing' ? [] : [{ role: 'assistant', content: text }]
      return json(response, { id: 'v1', output }, 201)
    },
  }

  const familyOf = (path: string): string | null => {
    if (path.endsWith('/audio/transcriptions')) return 'transcription'
    if (path.endsWith('/audio/speech')) return 'speech'
    if (path.endsWith('/responses')) return 'responses'
    if (path.endsWith('/chat/completions')) return 'chat'
    if (path.endsWith('/messages')) return 'messages'
    if (/:(streamG|g)enerateContent/.test(path)) return 'gemini'
    if (path.endsWith('/api/chat')) return 'ollama'
    if (/\/v1\/(typebots|sessions)\/|\/generate-upload-url$/.test(path)) return 'typebot'
    if (path === '/token') return 'token'
    if (path.endsWith(':detectIntent')) return 'dialogflow'
    if (/\/dify\//.test(path)) return 'dify'
    if (/\/webhook\//.test(path)) return 'n8n'
    if (path === '/vapi/call') return 'phone'
    return path.startsWith('/vapi/') ? 'vapi' : null
  }
  const lastOf = (list: unknown): unknown => (Array.isArray(list) ? list.at(-1) : undefined)
  /** Returns the question of a body, in any provider's format. */
  const askedIn = (body: Json): string => {
    const last = (lastOf(body['messages']) ?? lastOf(body['input']) ?? lastOf(body['contents'])) as Json | undefined
    const inner = last?.['content'] ?? (last?.['parts'] as unknown)
    const text = Array.isArray(inner) ? inner.map((one: Json) => one['text'] ?? '').join('') : inner
    const query = (body['queryInput'] as { text?: { text?: string } } | undefined)?.text?.text
    const message = body['message']
    const plain = typeof message === 'string' ? message : (message as Json | undefined)?.['text']
    return String(
      text ??
        query ??
        body['query'] ??
        (body['inputs'] as Json | undefined)?.['query'] ??
        body['chatInput'] ??
        plain ??
        body['input'] ??
        '',
    )
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const whole = Buffer.concat(chunks)
      if (request.url!.startsWith('/typebot-storage/')) return typebot.store(request, whole, response)
      const raw = whole.toString()
      const isForm = request.headers['content-type']?.includes('urlencoded')
      const bodyOf = (): Json => {
        if (isForm) return Object.fromEntries(new URLSearchParams(raw))
        if (request.headers['content-type']?.includes('multipart')) return { multipart: raw }
        return raw ? (JSON.parse(raw) as Json) : {}
      }
      const body = bodyOf()
      const path = request.url!.split('?')[0]!
      const call = { path, method: request.method!, headers: request.headers, body }
      calls.push(call)
      const family = familyOf(path)
      if (request.method === 'GET') {
        if (path.endsWith('/tags')) return json(response, { models: [{ name: 'llama3.2:latest' }] })
        if (path.endsWith('/assistant')) return json(response, [{ id: 'a1', name: 'Recepção' }])
        if (path.endsWith('/phone-number')) return json(response, [{ id: 'n1', number: '+551130000000' }])
        return json(response, {
          data: [{ id: 'modelo-b' }, { id: 'modelo-a' }],
          models: [{ name: 'models/modelo-a' }, { name: 'models/modelo-b' }],
        })
      }
      if (!family) return json(response, { error: { message: 'not found', code: 404 } }, 404)
      const fault = family === 'token' || state.times <= 0 || !state.faultAt.test(path) ? undefined : state.fault
      if (fault !== undefined) state.times -= 1
      if (state.delayMs > 0) await new Promise((done) => setTimeout(done, state.delayMs))
      if (fault === 'silent') return
      if (typeof fault === 'number') {
        const error = { message: `recusado com ${fault}`, type: 'error', code: fault === 401 ? 'invalid_api_key' : 'x' }
        return json(response, { error, message: error.message }, fault)
      }
      if (fault === 'large') {
        response.writeHead(200, { 'content-type': 'application/json' })
        return void response.end(`{"a":"${'x'.repeat(LARGE)}"}`)
      }
      return families[family]!({ call, response, text: state.reply(askedIn(body)), fault })
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const serviceAccount = JSON.stringify({
    ...{ type: 'service_account', project_id: 'projeto', client_email: 'bot@projeto.iam.gserviceaccount.com' },
    private_key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().replaceAll('\n', '\\n'),
  })
  /** Account data of each provider that connects to this server. */
  const filled: Record<string, { config: Json; secrets: Record<string, string> }> = {
    chatgpt: { config: { baseUrl: `${address}/v1`, model: 'gpt-x' }, secrets: { apiKey: 'k1' } },
    claude: { config: { baseUrl: `${address}/v1`, model: 'claude-x' }, secrets: { apiKey: 'k1' } },
    gemini: { config: { baseUrl: `${address}/v1beta`, model: 'gemini-x' }, secrets: { apiKey: 'k1' } },
    ...Object.fromEntries(
      ['grok', 'deepseek', 'qwen', 'lm', 'groqcloud'].map((id) => [
        id,
        { config: { baseUrl: `${address}/v1`, model: `${id}-x` }, secrets: { apiKey: 'k1' } },
      ]),
    ),
    ollama: { config: { baseUrl: `${address}/api`, model: 'llama3.2' }, secrets: {} },
    typebot: { config: { baseUrl: `${address}/api`, publicId: 'meu-bot' }, secrets: {} },
    dialogflow: {
      config: { baseUrl: address, tokenUrl: `${address}/token`, language: 'pt-BR' },
      secrets: { serviceAccount },
    },
    dify: { config: { baseUrl: `${address}/dify/v1`, type: 'chatBot' }, secrets: { apiKey: 'app-1' } },
    n8n: { config: { baseUrl: `${address}/webhook/abc` }, secrets: {} },
    vapi: { config: { baseUrl: `${address}/vapi`, assistantId: 'a1' }, secrets: { apiKey: 'k1' } },
  }
  return {
    address,
    calls,
    state,
    typebot,
    filled,
    /** Returns the calls that requested an answer. */
    asked: () => calls.filter(({ method, path }) => method === 'POST' && path !== '/token'),
    reset() {
      calls.length = 0
      typebot.reset()
      Object.assign(state, {
        fault: undefined,
        faultAt: /./,
        times: Number.POSITIVE_INFINITY,
        delayMs: 0,
        reply: (asked: string) => `Resposta a: ${asked}`,
      })
    },
    close: () => {
      server.closeAllConnections()
      return new Promise<void>((done) => server.close(() => done()))
    },
  }
}
