import { z } from 'zod'
import { record } from '#kit/outside-fields.ts'
import { ask, baseOf, failureBy, readJson } from '../calls.ts'
import { type Bubble, type MakeAssistantAdapter, NO_USAGE } from '../port.ts'
import { phoneOf } from './phone.ts'

const chat = record({ id: z.string(), output: z.array(record({ role: z.string(), content: z.string() })) })
const assistants = z.array(record({ id: z.string(), name: z.string() }))

/** Creates the adapter of Vapi: text chat with an assistant, or, if none is chosen, a list of those that exist. */
export const makeAdapter: MakeAssistantAdapter = (values, tools) => {
  const base = baseOf(values['baseUrl'])
  const headers = { authorization: `Bearer ${values['apiKey'] ?? ''}` }
  return {
    phone: phoneOf(tools, base, headers),
    async answer({ signal, text, handle }) {
      const { assistantId } = values
      if (!assistantId) {
        const all = await readJson(
          await ask(tools, `${base}/assistant`, { method: 'GET', headers, signal }),
          assistants,
          signal,
        )
        const names = all.map(({ id = '', name }) => name ?? id).join(', ')
        return {
          bubbles: [{ kind: 'text', text: `Assistentes desta conta: ${names || 'nenhum'}.` }],
          model: '',
          ...NO_USAGE,
        }
      }
      const json = { assistantId, input: text, ...(handle ? { previousChatId: handle } : {}) }
      const read = await readJson(await ask(tools, `${base}/chat`, { headers, json, signal }), chat, signal)
      const bubbles = (read.output ?? []).flatMap(({ role, content = '' }): Bubble[] =>
        role === 'assistant' && content.trim() ? [{ kind: 'text', text: content }] : [],
      )
      if (bubbles.length === 0) throw failureBy('empty')
      return { bubbles, model: String(assistantId), ...NO_USAGE, handle: read.id ?? null }
    },
  }
}
