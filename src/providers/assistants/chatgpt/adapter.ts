import { z } from 'zod'
import { readOutside } from '#kit/outside.ts'
import { record } from '#kit/outside-fields.ts'
import type { ProviderValues } from '#kit/provider.ts'
import { ask, baseOf, failureBy, isStream, parsed, problemOf, readError, readJson } from '../calls.ts'
import { given, turnsOf } from '../llm.ts'
import { bearer, chatCompletions, listModels } from '../openai-chat.ts'
import {
  type Answer,
  type AssistantTools,
  type MakeAssistantAdapter,
  NO_USAGE,
  type Question,
  type Usage,
} from '../port.ts'
import { speaker } from '../speech.ts'
import { eventsOf } from '../streams.ts'
import { transcriber } from '../transcribe.ts'

const part = record({ type: z.string(), text: z.string(), refusal: z.string() })
const item = record({ type: z.string(), content: z.array(part) })
const usage = record({
  input_tokens: z.number(),
  output_tokens: z.number(),
  input_tokens_details: record({ cached_tokens: z.number() }),
})
const whole = record({
  model: z.string(),
  status: z.string(),
  output: z.array(item),
  usage,
  error: z.unknown(),
  incomplete_details: record({ reason: z.string() }),
})
const event = record({
  type: z.string(),
  delta: z.string(),
  response: whole,
  message: z.string(),
  code: z.string(),
  error: z.unknown(),
})
type Whole = z.output<typeof whole>

const usageOf = (read: Whole['usage']): Usage => ({
  inputTokens: read?.input_tokens ?? 0,
  cachedTokens: read?.input_tokens_details?.cached_tokens ?? 0,
  outputTokens: read?.output_tokens ?? 0,
})

function answerOf(read: Whole, model: string): Answer {
  const used = usageOf(read.usage)
  if (read.error !== undefined) {
    const described = readError(JSON.stringify({ error: read.error }))
    throw failureBy(problemOf(500, described), described.message, { usage: used })
  }
  const parts = (read.output ?? []).flatMap(({ content = [] }) => content)
  const text = parts.map(({ type, text = '' }) => (type === 'output_text' ? text : '')).join('')
  const refusal = parts.map(({ refusal = '' }) => refusal).join('')
  if (read.incomplete_details?.reason === 'content_filter') throw failureBy('filtered', '', { usage: used })
  if (text.trim() === '') throw failureBy(refusal ? 'filtered' : 'empty', refusal, { usage: used })
  return { bubbles: [{ kind: 'text', text }], model: read.model ?? model, ...used }
}

async function readStream(response: Response, { signal, onText }: Question): Promise<Whole> {
  let text = ''
  for await (const { data } of eventsOf(response, signal)) {
    const read = readOutside(event, parsed(data))?.data
    if (!read) continue
    if (read.type === 'response.output_text.delta' && read.delta) {
      text += read.delta
      onText?.(read.delta)
    }
    if (read.type === 'error' || read.type === 'response.failed') {
      const error = read.response?.error ?? read.error ?? { message: read.message ?? '', code: read.code }
      const described = readError(JSON.stringify({ error }))
      throw failureBy(problemOf(500, described), described.message, { usage: usageOf(read.response?.usage) })
    }
    if (read.type === 'response.completed' || read.type === 'response.incomplete') {
      const done = read.response ?? {}
      const hasText = done.output?.some(({ content = [] }) => content.length > 0)
      return hasText ? done : { ...done, output: [{ content: [{ type: 'output_text', text }] }] }
    }
  }
  throw failureBy('broken', '', { usage: NO_USAGE })
}

const responses =
  (values: ProviderValues, tools: AssistantTools, headers: Record<string, string>) => async (question: Question) => {
    const { signal, system, files } = question
    const model = String(values['model'] ?? '')
    const turns = turnsOf(question)
    const input = turns.map(({ role, content }, index) => ({
      role,
      content: [
        { type: role === 'user' ? 'input_text' : 'output_text', text: content },
        ...(index < turns.length - 1 ? [] : files.flatMap(inputOf)),
      ],
    }))
    const response = await ask(tools, `${baseOf(values['baseUrl'])}/responses`, {
      headers: { ...bearer(values), ...headers },
      json: {
        ...{ model, input, stream: true, store: false, ...(system ? { instructions: system } : {}) },
        ...{ max_output_tokens: given(values['maxTokens']), temperature: given(values['temperature']) },
      },
      signal,
    })
    return answerOf(
      isStream(response) ? await readStream(response, question) : await readJson(response, whole, signal),
      model,
    )
  }

function inputOf({ name, mime, base64 }: Question['files'][number]): object[] {
  const data = `data:${mime};base64,${base64}`
  if (mime.startsWith('image/')) return [{ type: 'input_image', image_url: data }]
  return mime === 'application/pdf' ? [{ type: 'input_file', filename: name, file_data: data }] : []
}

/** Creates the adapter of OpenAI, using Responses, or chat completions if set so. */
export const makeAdapter: MakeAssistantAdapter = (values, tools) => {
  const headers: Record<string, string> = values['organizationId']
    ? { 'openai-organization': String(values['organizationId']) }
    : {}
  const voice = {
    transcribe: transcriber(values, tools, headers),
    ...(values['voice'] === true ? { speak: speaker(values, tools, headers) } : {}),
  }
  if (values['api'] === 'chat')
    return { ...chatCompletions(values, tools, { tokensName: 'max_completion_tokens', headers }), ...voice }
  return { answer: responses(values, tools, headers), models: (signal) => listModels(tools, values, signal), ...voice }
}
