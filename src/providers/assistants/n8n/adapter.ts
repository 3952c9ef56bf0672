import { z } from 'zod'
import { firstOf } from '#domain/present.ts'
import { readOutside } from '#kit/outside.ts'
import { record } from '#kit/outside-fields.ts'
import type { ProviderValues } from '#kit/provider.ts'
import { ask, failureBy, isStream, parsed, reached } from '../calls.ts'
import { type Answer, type Bubble, type MakeAssistantAdapter, NO_USAGE } from '../port.ts'
import { textsOf } from '../texts.ts'

const streamed = record({ type: z.string(), content: z.string() })
const STARTED = /^workflow was started\.?$/i

function streamedTexts(text: string): string[] {
  const parts: string[] = []
  for (const one of text.split('\n')) {
    const read = readOutside(streamed, parsed(one))?.data
    if (read?.type === 'error') throw failureBy('server', read.content ?? '')
    if (read?.type === 'item') parts.push(read.content ?? '')
  }
  return [parts.join('')].filter((one) => one.trim() !== '')
}

const headersOf = ({ apiKey, authHeader }: ProviderValues): Record<string, string> => {
  const name = String(authHeader || 'Authorization')
  const key = String(apiKey ?? '')
  if (!key) return {}
  return { [name.toLowerCase()]: /^authorization$/i.test(name) && !key.includes(' ') ? `Bearer ${key}` : key }
}

/** Adapter of n8n workflows, by webhook or chat trigger. */
export const makeAdapter: MakeAssistantAdapter = (values, tools) => ({
  async answer({ signal, text, sessionId, about, callbackUrl }): Promise<Answer> {
    const url = String(values['baseUrl'] ?? '')
    const isChat = values['mode'] === 'chat' || /\/chat\/?$/.test(url)
    const json = isChat
      ? { action: 'sendMessage', sessionId, chatInput: text, metadata: { ...about, callbackUrl } }
      : { sessionId, message: { body: text, text }, ...about, ...(callbackUrl ? { callbackUrl } : {}) }
    const response = await ask(tools, url, { headers: headersOf(values), json, signal })
    const body = await reached(signal, () => response.text())
    const read = parsed(body)
    const texts =
      isStream(response) || (read === undefined && body.includes('\n')) ? streamedTexts(body) : textsOf(read ?? body)
    // The answer comes by the callback URL, or not at all.
    const isDeferred = texts.length === 0 || (texts.length === 1 && STARTED.test(firstOf(texts).trim()))
    const bubbles = isDeferred ? [] : texts.map((one): Bubble => ({ kind: 'text', text: one }))
    return { bubbles, model: '', ...NO_USAGE, handle: sessionId, isDeferred }
  },
  deferred: (body) => textsOf(body).map((text) => ({ kind: 'text', text })),
})
