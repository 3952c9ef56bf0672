import { z } from 'zod'
import { readOutside } from '#kit/outside.ts'
import { record } from '#kit/outside-fields.ts'
import type { ProviderValues } from '#kit/provider.ts'
import { ask, baseOf, failureBy, isStream, parsed, problemOf, readError, readJson } from './calls.ts'
import { given, turnsOf } from './llm.ts'
import { type Answer, type AssistantAdapter, type AssistantTools, NO_USAGE, type Question, type Usage } from './port.ts'
import { eventsOf } from './streams.ts'

const usage = record({
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  prompt_tokens_details: record({ cached_tokens: z.number() }),
})
const content = z.union([
  z.string(),
  z.array(record({ text: z.string() })).transform((all) => all.map(({ text = '' }) => text).join('')),
])
const part = record({ content, refusal: z.string() })
const choice = record({ message: part, delta: part, finish_reason: z.string() })
const chunk = record({ model: z.string(), choices: z.array(choice), usage, error: z.unknown() })

type Read = { text: string; refusal: string; model: string; finish: string | null; usage: Usage; isWhole: boolean }

const usageOf = (read: z.output<typeof usage>): Usage => ({
  inputTokens: read.prompt_tokens ?? 0,
  cachedTokens: read.prompt_tokens_details?.cached_tokens ?? 0,
  outputTokens: read.completion_tokens ?? 0,
})

/** Adds a chunk, or a whole response, to the result. */
function take(read: Read, given: unknown, onText?: Question['onText']): void {
  const found = readOutside(chunk, given)?.data
  if (!found) return
  if (found.error !== undefined) {
    const described = readError(JSON.stringify({ error: found.error }))
    throw failureBy(problemOf(500, described), described.message, { usage: read.usage })
  }
  read.model = found.model ?? read.model
  if (found.usage) read.usage = usageOf(found.usage)
  const first = found.choices?.[0]
  const piece = first?.delta ?? first?.message
  const text = piece?.content ?? ''
  read.text += text
  if (text) onText?.(text)
  read.refusal += piece?.refusal ?? ''
  read.finish = first?.finish_reason ?? read.finish
}

function answerOf(read: Read): Answer {
  const { text, refusal, model, finish, usage } = read
  if (!read.isWhole && finish === null) throw failureBy('broken', '', { usage })
  if (finish === 'content_filter') throw failureBy('filtered', '', { usage })
  if (text.trim() === '' && refusal !== '') throw failureBy('filtered', refusal, { usage })
  if (text.trim() === '') throw failureBy('empty', '', { usage })
  return { bubbles: [{ kind: 'text', text }], model, ...usage }
}

const models = record({ data: z.array(z.looseObject({ id: z.string() })) })

/** Returns the authorization headers of this provider family. */
export const bearer = ({ apiKey }: ProviderValues): Record<string, string> =>
  apiKey ? { authorization: `Bearer ${apiKey}` } : {}

/** Lists the models of an account. */
export async function listModels(
  tools: AssistantTools,
  values: ProviderValues,
  signal: AbortSignal,
): Promise<string[]> {
  const response = await ask(tools, `${baseOf(values['baseUrl'])}/models`, {
    method: 'GET',
    headers: bearer(values),
    signal,
  })
  return ((await readJson(response, models, signal)).data ?? []).map(({ id }) => id).sort()
}

/** Adds the pictures to the last message, in the form of this family of providers. */
export const withPictures = (turns: ReturnType<typeof turnsOf>, { files }: Pick<Question, 'files'>) => {
  const pictures = files.filter(({ mime }) => mime.startsWith('image/'))
  if (pictures.length === 0) return turns
  return turns.map((turn, index) =>
    index < turns.length - 1
      ? turn
      : {
          role: turn.role,
          content: [
            { type: 'text', text: turn.content },
            ...pictures.map(({ mime, base64 }) => ({
              type: 'image_url',
              image_url: { url: `data:${mime};base64,${base64}` },
            })),
          ],
        },
  )
}

/** Creates an adapter of the chat completions API; `tokensName`: name of the parameter that limits the answer. */
export const chatCompletions = (
  values: ProviderValues,
  tools: AssistantTools,
  { tokensName = 'max_tokens', headers = {} }: { tokensName?: string; headers?: Record<string, string> } = {},
): AssistantAdapter => ({
  async answer(question) {
    const { signal, system } = question
    const model = String(values['model'] ?? '')
    const messages = [
      ...(system ? [{ role: 'system', content: system }] : []),
      ...withPictures(turnsOf(question), question),
    ]
    const response = await ask(tools, `${baseOf(values['baseUrl'])}/chat/completions`, {
      headers: { ...bearer(values), ...headers },
      json: {
        ...{ model, messages, stream: true, stream_options: { include_usage: true } },
        ...{ [tokensName]: given(values['maxTokens']), temperature: given(values['temperature']) },
      },
      signal,
    })
    const read: Read = { text: '', refusal: '', model, finish: null, usage: NO_USAGE, isWhole: false }
    if (isStream(response)) {
      for await (const { data } of eventsOf(response, signal)) {
        if (data === '[DONE]') {
          read.isWhole = true
          break
        }
        take(read, parsed(data), question.onText)
      }
    } else {
      const text = await readJson(response, z.unknown(), signal)
      take(read, text)
      read.isWhole = true
    }
    return answerOf(read)
  },
  models: (signal) => listModels(tools, values, signal),
})
