import type { DemoPart } from '#db/demo/part.ts'
import { make } from '#test/make.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const MILLION = 1_000_000

const shared = { offWord: 'atendente', waitSeconds: 2, historySize: 20, maxTokens: 600 }
const accounts = [
  {
    ...{ provider: 'ollama', name: 'Luna, assistente da loja', is_active: true },
    config: {
      ...{ ...shared, baseUrl: 'http://localhost:11434', model: 'llama3.2', inputPrice: 1.2, outputPrice: 4.8 },
      prompt: 'Você é a Luna, da loja de móveis. Responda em poucas frases, em português, e nunca invente preços.',
    },
    model: 'llama3.2',
  },
  {
    ...{ provider: 'chatgpt', name: 'ChatGPT (em teste)', is_active: false },
    config: { ...shared, baseUrl: 'https://api.openai.com/v1', api: 'responses', inputPrice: 2.2, outputPrice: 8.8 },
    model: 'gpt-5-mini',
  },
]

/** Purposes of a day's calls to the models, each with its average number of calls. */
const uses = [
  ['turn', 9],
  ['copilot', 4],
  ['transcription', 2],
  ['test', 0.4],
] as const

const outcomes = ['taken', 'changed', 'taken', 'refused', null]

/**
 * Assistant that is connected without answering automatically, with its past answers in closed tickets, and a month of
 * costs.
 */
export const part: DemoPart = {
  after: ['conversations', 'users'],
  async seed({ platform, db, tenantId, ids }) {
    const tickets = await db
      .selectFrom('tickets')
      .select(['id', 'created_at'])
      .where('tenant_id', '=', tenantId)
      .where('status', '=', 'closed')
      .where('is_group', '=', false)
      .orderBy('id', 'desc')
      .limit(24)
      .execute()
    if (tickets.length < 12) return
    const now = platform.now().getTime()
    const m = make(platform, db)
    const at = (ms: number) => new Date(now - ms)
    const people = [...ids.users.values()]
    const known: { id: number; provider: string; model: string; input: number; output: number }[] = []
    for (const { config, model, ...row } of accounts) {
      const [created_at, updated_at] = [at(60 * DAY_MS), at(DAY_MS)]
      const state = row.is_active ? { ok: true, text: 'Sim, abrimos aos sábados das 9h às 14h.', at: at(DAY_MS) } : {}
      const id = await m.insert('provider_settings', tenantId, {
        ...{ ...row, kind: 'assistant', is_default: true, created_at, updated_at },
        ...{ config: JSON.stringify(config), secrets: '{}', state: JSON.stringify(state) },
      })
      known.push({ id, provider: row.provider, model, input: config.inputPrice, output: config.outputPrice })
    }
    for (const [key, value] of [
      ['ollama', 'enabled'],
      ['assistantsBudget', '30'],
    ] as const)
      await m.setting(tenantId, key, value)
    let turn = 0
    const count = (purpose: string, createdAt: Date, more: object = {}) => {
      turn++
      const account = known[turn % 7 === 6 ? 1 : 0]!
      const isText = purpose !== 'transcription'
      const [input, output] = isText ? [700 + ((turn * 137) % 2300), 40 + ((turn * 53) % 260)] : [0, 0]
      const isFailed = turn % 41 === 40
      return m.insert('assistant_calls', tenantId, {
        ...{ id: crypto.randomUUID(), purpose, provider: account.provider, account_id: account.id },
        ...{ model: isText ? account.model : 'whisper-large-v3', input_tokens: input, output_tokens: output },
        ...{ cached_tokens: Math.floor(input / 3), ms: 700 + ((turn * 211) % 2600), created_at: createdAt },
        cost: String(isFailed ? 0 : isText ? (input * account.input + output * account.output) / MILLION : 0.02),
        error: isFailed ? 'O provedor não respondeu a tempo.' : null,
        user_id: purpose === 'copilot' || purpose === 'test' ? people[turn % people.length] : null,
        outcome: purpose === 'copilot' ? outcomes[turn % outcomes.length] : null,
        ticket_id: purpose === 'test' ? null : tickets[turn % tickets.length]!.id,
        ...more,
      })
    }
    for (let day = 35; day >= 0; day--)
      for (const [purpose, average] of uses) {
        const many = Math.floor(average * (0.6 + ((day * 7) % 5) / 5) + (average < 1 && day % 3 === 0 ? 1 : 0))
        for (let n = 0; n < many; n++) await count(purpose, at(day * DAY_MS + (n * 47 + day * 13) * MINUTE_MS))
      }
    for (const [n, { id: ticket_id, created_at }] of tickets.slice(0, 8).entries())
      for (let step = 0; step < 2; step++) {
        const begun = new Date(created_at.getTime() + (step + 1) * MINUTE_MS)
        const isFailed = n === 5 && step === 1
        await m.insert('assistant_turns', tenantId, {
          ...{ id: crypto.randomUUID(), ticket_id, account_id: known[0]!.id, provider: known[0]!.provider },
          ...{ status: isFailed ? 'failed' : 'answered', due_at: begun, created_at: begun, model: known[0]!.model },
          ...{ ended_at: new Date(begun.getTime() + 1900), ms: 1900, message_count: isFailed ? 0 : 1 },
          ...{ input_tokens: isFailed ? 0 : 1240, output_tokens: isFailed ? 0 : 96, cost: isFailed ? '0' : '0.001949' },
          ...(isFailed ? { problem: 'timeout', error: 'O provedor não respondeu a tempo.' } : {}),
        })
      }
  },
}
