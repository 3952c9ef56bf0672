import { z } from 'zod'
import { readOutside } from '#kit/outside.ts'
import { record } from '#kit/outside-fields.ts'
import type { ProviderValues } from '#kit/provider.ts'
import { ask, baseOf, failureBy, isStream, parsed, problemOf, readError, readJson } from '../calls.ts'
import { given, turnsOf } from '../llm.ts'
import {
  type Answer,
  AssistantFailure,
  type MakeAssistantAdapter,
  NO_USAGE,
  type Question,
  type Usage,
} from '../port.ts'
import { eventsOf } from '../streams.ts'

const usage = record({
  promptTokenCount: z.number(),
  candidatesTokenCount: z.number(),
  cachedContentTokenCount: z.number(),
  thoughtsTokenCount: z.number(),
})
const candidate = record({
  content: record({ parts: z.array(record({ text: z.string(), thought: z.boolean() })) }),
  finishReason: z.string(),
})
const chunk = record({
  candidates: z.array(candidate),
  promptFeedback: record({ blockReason: z.string() }),
  usageMetadata: usage,
  modelVersion: z.string(),
  error: z.unknown(),
})
type Chunk = z.output<typeof chunk>
type Read = { text: string; model: string; finish: string | null; blocked: string | null; usage: Usage }

function take(read: Read, found: Chunk, onText?: Question['onText']): void {
  if (found.error !== undefined) {
    const described = readError(JSON.stringify({ error: found.error }))
    throw failureBy(problemOf(500, described), described.message, { usage: read.usage })
  }
  const first = found.candidates?.[0]
  const text = (first?.content?.parts ?? []).map(({ text = '', thought }) => (thought ? '' : text)).join('')
  read.text += text
  if (text) onText?.(text)
  read.finish = first?.finishReason ?? read.finish
  read.blocked = found.promptFeedback?.blockReason ?? read.blocked
  read.model = found.modelVersion ?? read.model
  const {
    promptTokenCount,
    candidatesTokenCount = 0,
    cachedContentTokenCount = 0,
    thoughtsTokenCount = 0,
  } = found.usageMetadata ?? {}
  if (promptTokenCount !== undefined)
    read.usage = {
      inputTokens: promptTokenCount,
      cachedTokens: cachedContentTokenCount,
      outputTokens: candidatesTokenCount + thoughtsTokenCount,
    }
}

function answerOf({ text, model, finish, blocked, usage }: Read): Answer {
  if (blocked !== null) throw failureBy('filtered', blocked, { usage })
  if (finish === null) throw failureBy('broken', '', { usage })
  if (!['STOP', 'MAX_TOKENS'].includes(finish)) throw failureBy('filtered', finish, { usage })
  if (text.trim() === '') throw failureBy('empty', '', { usage })
  return { bubbles: [{ kind: 'text', text }], model, ...usage }
}

const headersOf = ({ apiKey }: ProviderValues) => ({ 'x-goog-api-key': String(apiKey ?? '') })
const models = record({ models: z.array(z.looseObject({ name: z.string() })) })

/** Adapter of Google's generateContent, streamed if the server streams. */
export const makeAdapter: MakeAssistantAdapter = (values, tools) => ({
  async answer(question) {
    const { signal, system, files } = question
    const model = String(values['model'] ?? '').replace(/^models\//, '')
    const turns = turnsOf(question)
    const attached = files.map(({ mime, base64 }) => ({ inlineData: { mimeType: mime, data: base64 } }))
    const contents = turns.map(({ role, content }, index) => ({
      role: role === 'user' ? 'user' : 'model',
      parts: [{ text: content }, ...(index === turns.length - 1 ? attached : [])],
    }))
    const call = {
      headers: headersOf(values),
      json: {
        contents,
        ...(system ? { systemInstruction: { parts: [{ text: system }] } } : {}),
        generationConfig: { maxOutputTokens: given(values['maxTokens']), temperature: given(values['temperature']) },
      },
      signal,
    }
    const at = `${baseOf(values['baseUrl'])}/models/${encodeURIComponent(model)}`
    const read: Read = { text: '', model, finish: null, blocked: null, usage: NO_USAGE }
    const response = await ask(tools, `${at}:streamGenerateContent?alt=sse`, call).catch((error: unknown) => {
      // A server without streaming.
      if (error instanceof AssistantFailure && error.problem === 'missing')
        return ask(tools, `${at}:generateContent`, call)
      throw error
    })
    if (isStream(response)) {
      for await (const { data } of eventsOf(response, signal))
        take(read, readOutside(chunk, parsed(data))?.data ?? {}, question.onText)
    } else
      for (const one of [await readJson(response, z.union([chunk, z.array(chunk)]), signal)].flat()) take(read, one)
    return answerOf(read)
  },
  async models(signal) {
    const response = await ask(tools, `${baseOf(values['baseUrl'])}/models`, {
      method: 'GET',
      headers: headersOf(values),
      signal,
    })
    return ((await readJson(response, models, signal)).models ?? [])
      .map(({ name }) => name.replace(/^models\//, ''))
      .sort()
  },
})
