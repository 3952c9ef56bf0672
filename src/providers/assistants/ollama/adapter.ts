import { z } from 'zod'
import { readOutside } from '#kit/outside.ts'
import { record } from '#kit/outside-fields.ts'
import { ask, baseWith, failureBy, parsed, problemOf, readError, readJson } from '../calls.ts'
import { given, turnsOf } from '../llm.ts'
import { bearer } from '../openai-chat.ts'
import { type MakeAssistantAdapter, NO_USAGE } from '../port.ts'
import { linesOf } from '../streams.ts'

const part = record({
  model: z.string(),
  message: record({ content: z.string() }),
  done: z.boolean(),
  prompt_eval_count: z.number(),
  eval_count: z.number(),
  error: z.string(),
})
const tags = record({ models: z.array(z.looseObject({ name: z.string() })) })

/** Adapter of Ollama's own chat API, which responds with one line of JSON at a time. */
export const makeAdapter: MakeAssistantAdapter = (values, tools) => {
  const base = baseWith(values['baseUrl'], '/api')
  return {
    async answer(question) {
      const { signal, system, files } = question
      const model = String(values['model'] ?? '')
      const turns = turnsOf(question)
      const images = files.filter(({ mime }) => mime.startsWith('image/')).map(({ base64 }) => base64)
      const messages = turns.map((turn, index) =>
        index === turns.length - 1 && images.length > 0 ? { ...turn, images } : turn,
      )
      const response = await ask(tools, `${base}/chat`, {
        headers: bearer(values),
        json: {
          ...{ model, stream: true, messages: [...(system ? [{ role: 'system', content: system }] : []), ...messages] },
          options: { num_predict: given(values['maxTokens']), temperature: given(values['temperature']) },
        },
        signal,
      })
      let text = ''
      let usage = NO_USAGE
      let named = model
      for await (const row of linesOf(response, signal)) {
        const read = readOutside(part, parsed(row))?.data
        if (!read) continue
        if (read.error) throw failureBy(problemOf(500, readError(row)), read.error, { usage })
        const piece = read.message?.content ?? ''
        text += piece
        if (piece) question.onText?.(piece)
        named = read.model ?? named
        if (!read.done) continue
        usage = { inputTokens: read.prompt_eval_count ?? 0, cachedTokens: 0, outputTokens: read.eval_count ?? 0 }
        if (text.trim() === '') throw failureBy('empty', '', { usage })
        return { bubbles: [{ kind: 'text', text }], model: named, ...usage }
      }
      throw failureBy('broken', '', { usage })
    },
    async models(signal) {
      const response = await ask(tools, `${base}/tags`, { method: 'GET', headers: bearer(values), signal })
      return ((await readJson(response, tags, signal)).models ?? []).map(({ name }) => name).sort()
    },
  }
}
