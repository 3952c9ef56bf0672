import { z } from 'zod'
import { isWord } from '#domain/assistants/off-word.ts'
import { readOutside } from '#kit/outside.ts'
import { record } from '#kit/outside-fields.ts'
import { ask, baseOf, failureBy, isStream, parsed, problemOf, readError, readJson } from '../calls.ts'
import { factsOf } from '../facts.ts'
import { type Answer, AssistantFailure, type MakeAssistantAdapter, NO_USAGE, type Usage } from '../port.ts'
import { eventsOf } from '../streams.ts'

const usage = record({ prompt_tokens: z.number(), completion_tokens: z.number(), total_tokens: z.number() })
const event = record({
  event: z.string(),
  answer: z.string(),
  conversation_id: z.string(),
  metadata: record({ usage }),
  data: record({
    text: z.string(),
    status: z.string(),
    outputs: z.record(z.string(), z.unknown()),
    error: z.string(),
    total_tokens: z.number(),
  }),
  code: z.string(),
  message: z.string(),
  status: z.number(),
})
type Event = z.output<typeof event>
type Read = { text: string; handle: string | null; usage: Usage; isWhole: boolean }

const PATHS: Readonly<Record<string, string>> = { textGenerator: '/completion-messages', workflow: '/workflows/run' }
/** Names of a workflow's text output; the first present one counts. */
const OUTPUTS = ['answer', 'text', 'output', 'result', 'message']

const textOf = (outputs: Readonly<Record<string, unknown>>): string => {
  const named = OUTPUTS.map((name) => outputs[name]).find((value) => ['string', 'number'].includes(typeof value))
  return String(named ?? Object.values(outputs).find((value) => typeof value === 'string') ?? '')
}

const usageOf = (read: z.output<typeof usage> | undefined, total = 0): Usage => ({
  inputTokens: read?.prompt_tokens ?? read?.total_tokens ?? total,
  cachedTokens: 0,
  outputTokens: read?.completion_tokens ?? 0,
})

function take(read: Read, found: Event): void {
  const { event: name = '', answer = '', data } = found
  if (name === 'error') {
    const described = readError(JSON.stringify(found))
    throw failureBy(problemOf(found.status ?? 500, described), described.message, { usage: read.usage })
  }
  read.handle = found.conversation_id || read.handle
  if (name === 'message' || name === 'agent_message') read.text += answer
  if (name === 'text_chunk') read.text += data?.text ?? ''
  if (name === 'message_replace') read.text = answer
  if (found.metadata?.usage) read.usage = usageOf(found.metadata.usage)
  if (name === 'message_end') read.isWhole = true
  if (name === 'workflow_finished') {
    if (data?.status && data.status !== 'succeeded') throw failureBy('server', data.error ?? '', { usage: read.usage })
    read.usage = read.usage === NO_USAGE ? usageOf(undefined, data?.total_tokens) : read.usage
    if (read.text === '') read.text = textOf(data?.outputs ?? {})
  }
}

/** Adapter of Dify, streamed, because agents support nothing else. */
export const makeAdapter: MakeAssistantAdapter = (values, tools) => {
  const type = String(values['type'] || 'chatBot')
  const isChat = !(type in PATHS)
  const headers = { authorization: `Bearer ${values['apiKey'] ?? ''}` }
  return {
    async answer(question): Promise<Answer> {
      const { signal, about, text, customerId: user } = question
      const inputs = { ...factsOf(about), ...(isChat ? {} : { query: text }) }
      const handle = isWord(text, values['restartWord']) ? null : question.handle
      const call = (conversation: string | null) =>
        ask(tools, `${baseOf(values['baseUrl'])}${PATHS[type] ?? '/chat-messages'}`, {
          headers,
          json: {
            ...{ inputs, user, response_mode: 'streaming' },
            ...(isChat ? { query: text, conversation_id: conversation ?? '' } : {}),
          },
          signal,
        })
      const response = await call(handle).catch((error: unknown) => {
        // The conversation no longer exists.
        if (handle !== null && error instanceof AssistantFailure && error.problem === 'missing') return call(null)
        throw error
      })
      const read: Read = { text: '', handle: null, usage: NO_USAGE, isWhole: false }
      if (isStream(response)) {
        for await (const { data } of eventsOf(response, signal)) {
          const found = readOutside(event, parsed(data))?.data
          if (!found) continue
          take(read, found)
          if (type === 'workflow' && found.event === 'workflow_finished') read.isWhole = true
          if (read.isWhole) break
        }
      } else {
        const whole = await readJson(response, event, signal)
        take(read, { ...whole, event: type === 'workflow' ? 'workflow_finished' : (whole.event ?? 'message') })
        read.isWhole = true
      }
      if (!read.isWhole) throw failureBy('broken', '', { usage: read.usage })
      if (read.text.trim() === '') throw failureBy('empty', '', { usage: read.usage })
      return {
        bubbles: [{ kind: 'text', text: read.text }],
        model: '',
        ...read.usage,
        handle: isChat ? read.handle : null,
      }
    },
  }
}
