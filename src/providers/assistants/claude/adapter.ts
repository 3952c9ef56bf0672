import { z } from 'zod'
import { readOutside } from '#kit/outside.ts'
import { record } from '#kit/outside-fields.ts'
import type { ProviderValues } from '#kit/provider.ts'
import { ask, baseOf, failureBy, isStream, parsed, problemOf, readError, readJson } from '../calls.ts'
import { given, turnsOf } from '../llm.ts'
import { type Answer, type MakeAssistantAdapter, NO_USAGE, type Question, type Usage } from '../port.ts'
import { eventsOf } from '../streams.ts'

const usage = record({ input_tokens: z.number(), output_tokens: z.number(), cache_read_input_tokens: z.number() })
const block = record({ type: z.string(), text: z.string() })
const message = record({ model: z.string(), content: z.array(block), stop_reason: z.string(), usage })
const event = record({
  type: z.string(),
  message,
  delta: record({ type: z.string(), text: z.string(), stop_reason: z.string() }),
  usage,
  error: z.unknown(),
})

type Read = { text: string; model: string; stop: string | null; usage: Usage }

function counted(before: Usage, read: z.output<typeof usage> | undefined): Usage {
  if (!read) return before
  const cachedTokens = read.cache_read_input_tokens ?? before.cachedTokens
  const input = read.input_tokens === undefined ? before.inputTokens : read.input_tokens + cachedTokens
  return { inputTokens: input, cachedTokens, outputTokens: read.output_tokens ?? before.outputTokens }
}

function answerOf({ text, model, stop, usage }: Read): Answer {
  if (stop === 'refusal') throw failureBy('filtered', '', { usage })
  if (text.trim() === '') throw failureBy('empty', '', { usage })
  return { bubbles: [{ kind: 'text', text }], model, ...usage }
}

async function readStream(response: Response, model: string, { signal, onText }: Question): Promise<Read> {
  const read: Read = { text: '', model, stop: null, usage: NO_USAGE }
  for await (const { data } of eventsOf(response, signal)) {
    const found = readOutside(event, parsed(data))?.data
    if (!found) continue
    if (found.type === 'error') {
      const described = readError(JSON.stringify({ error: found.error }))
      throw failureBy(/overloaded/.test(described.code) ? 'server' : problemOf(500, described), described.message, {
        usage: read.usage,
      })
    }
    read.model = found.message?.model ?? read.model
    read.usage = counted(read.usage, found.message?.usage ?? found.usage)
    if (found.delta?.type === 'text_delta' && found.delta.text) {
      read.text += found.delta.text
      onText?.(found.delta.text)
    }
    read.stop = found.delta?.stop_reason ?? read.stop
    if (found.type === 'message_stop') return read
  }
  throw failureBy('broken', '', { usage: read.usage })
}

const headersOf = ({ apiKey }: ProviderValues) => ({
  'x-api-key': String(apiKey ?? ''),
  'anthropic-version': '2023-06-01',
})

function sourceOf({ mime, base64 }: Question['files'][number]): object[] {
  const source = { type: 'base64', media_type: mime, data: base64 }
  if (mime.startsWith('image/')) return [{ type: 'image', source }]
  return mime === 'application/pdf' ? [{ type: 'document', source }] : []
}

const models = record({ data: z.array(z.looseObject({ id: z.string() })) })

/** Adapter of Anthropic's Messages API. */
export const makeAdapter: MakeAssistantAdapter = (values, tools) => ({
  async answer(question) {
    const { signal, system, files } = question
    const model = String(values['model'] ?? '')
    const turns = turnsOf(question)
    const attached = files.flatMap(sourceOf)
    const messages = turns.map((turn, index) =>
      index < turns.length - 1 || attached.length === 0
        ? turn
        : { role: turn.role, content: [...attached, { type: 'text', text: turn.content }] },
    )
    const response = await ask(tools, `${baseOf(values['baseUrl'])}/messages`, {
      headers: headersOf(values),
      json: {
        ...{ model, messages, stream: true, max_tokens: given(values['maxTokens']) ?? 1000 },
        ...{ ...(system ? { system } : {}), temperature: given(values['temperature']) },
      },
      signal,
    })
    if (isStream(response)) return answerOf(await readStream(response, model, question))
    const read = await readJson(response, message, signal)
    const text = (read.content ?? []).map(({ type, text = '' }) => (type === 'text' ? text : '')).join('')
    return answerOf({
      text,
      model: read.model ?? model,
      stop: read.stop_reason ?? null,
      usage: counted(NO_USAGE, read.usage),
    })
  },
  async models(signal) {
    const response = await ask(tools, `${baseOf(values['baseUrl'])}/models`, {
      method: 'GET',
      headers: headersOf(values),
      signal,
    })
    return ((await readJson(response, models, signal)).data ?? []).map(({ id }) => id).sort()
  },
})
