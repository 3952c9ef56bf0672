import { z } from 'zod'
import { readOutside } from '#kit/outside.ts'
import { record } from '#kit/outside-fields.ts'
import { ask, failureBy, readJson } from '../calls.ts'
import type { AssistantTools, PhoneAdapter, PhoneChoice } from '../port.ts'

const assistants = z.array(record({ id: z.string(), name: z.string() }))
const numbers = z.array(record({ id: z.string(), name: z.string(), number: z.string() }))
const begun = record({ id: z.string() })
const artifact = record({ transcript: z.string() })
const posted = record({
  message: record({
    type: z.string(),
    endedReason: z.string(),
    summary: z.string(),
    transcript: z.string(),
    durationSeconds: z.number(),
    startedAt: z.string(),
    endedAt: z.string(),
    call: record({ id: z.string(), customer: record({ number: z.string() }) }),
    customer: record({ number: z.string() }),
    artifact,
    analysis: record({ summary: z.string() }),
  }),
})

/** Makes phone calls by Vapi, and reads their reports. */
export function phoneOf(tools: AssistantTools, base: string, headers: Readonly<Record<string, string>>): PhoneAdapter {
  const list = (path: string, signal: AbortSignal) => ask(tools, `${base}/${path}`, { method: 'GET', headers, signal })
  return {
    async assistants(signal) {
      const all = await readJson(await list('assistant', signal), assistants, signal)
      return all.flatMap(({ id, name }): PhoneChoice[] => (id ? [{ id, name: name || id }] : []))
    },
    async numbers(signal) {
      const all = await readJson(await list('phone-number', signal), numbers, signal)
      return all.flatMap(({ id, name, number }): PhoneChoice[] =>
        id ? [{ id, name: [name, number].filter(Boolean).join(' · ') || id }] : [],
      )
    },
    async call({ assistantId, phoneNumberId, number, name }, signal) {
      const customer = { number: `+${number}`, ...(name ? { name } : {}) }
      const json = { assistantId, phoneNumberId, customer }
      const { id } = await readJson(await ask(tools, `${base}/call`, { headers, json, signal }), begun, signal)
      return id ?? fail()
    },
    report(body) {
      const message = readOutside(posted, body)?.data.message
      const id = message?.call?.id
      if (message?.type !== 'end-of-call-report' || !id) return null
      return {
        id,
        number: (message.call?.customer?.number ?? message.customer?.number ?? '').replace(/\D/g, ''),
        summary: message.analysis?.summary ?? message.summary ?? '',
        transcript: message.artifact?.transcript ?? message.transcript ?? '',
        seconds: message.durationSeconds ?? secondsBetween(message.startedAt, message.endedAt),
        reason: message.endedReason ?? '',
      }
    },
  }
}

/** Returns the duration between two times, in seconds; 0 if either is missing. */
function secondsBetween(from = '', to = ''): number {
  const ms = Date.parse(to) - Date.parse(from)
  return ms > 0 ? ms / 1000 : 0
}

function fail(): never {
  throw failureBy('unread')
}
