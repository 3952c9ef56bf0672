import { z } from 'zod'
import { record } from '#kit/outside-fields.ts'
import type { ProviderValues } from '#kit/provider.ts'
import { ask, baseOf, failureBy, readJson } from './calls.ts'
import { bearer } from './openai-chat.ts'
import type { AssistantTools, Recording } from './port.ts'

const spoken = record({ text: z.string() })

/** Returns a transcription function by OpenAI's API. */
export const transcriber =
  (values: ProviderValues, tools: AssistantTools, headers: Readonly<Record<string, string>> = {}) =>
  async ({ name, mime, bytes }: Recording, signal: AbortSignal): Promise<string> => {
    const files = new FormData()
    files.set('file', new Blob([new Uint8Array(bytes)], { type: mime }), name)
    files.set('model', String(values['transcriptionModel'] ?? ''))
    files.set('response_format', 'json')
    if (values['language']) files.set('language', String(values['language']))
    const response = await ask(tools, `${baseOf(values['baseUrl'])}/audio/transcriptions`, {
      headers: { ...bearer(values), ...headers },
      files,
      signal,
    })
    const { text = '' } = await readJson(response, spoken, signal)
    if (text.trim() === '') throw failureBy('empty')
    return text.trim()
  }
