import type { ProviderValues } from '#kit/provider.ts'
import { ask, baseOf, failureBy, reached } from './calls.ts'
import { bearer } from './openai-chat.ts'
import type { AssistantTools } from './port.ts'

/** Maximum length of a text per call, in characters. */
const MOST_CHARACTERS = 4000

/** Returns a text-to-speech function by OpenAI's API. */
export const speaker =
  (values: ProviderValues, tools: AssistantTools, headers: Readonly<Record<string, string>>) =>
  async (text: string, signal: AbortSignal): Promise<{ name: string; bytes: Uint8Array }> => {
    const json = {
      ...{ model: values['speechModel'], voice: values['voiceModel'] ?? 'alloy' },
      ...{ input: text.slice(0, MOST_CHARACTERS), response_format: 'mp3' },
    }
    const url = `${baseOf(values['baseUrl'])}/audio/speech`
    const response = await ask(tools, url, { headers: { ...bearer(values), ...headers }, json, signal })
    const bytes = new Uint8Array(await reached(signal, () => response.arrayBuffer()))
    if (bytes.length === 0) throw failureBy('empty')
    return { name: 'resposta.mp3', bytes }
  }
