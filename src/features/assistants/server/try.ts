import { asMessage } from '#domain/assistants/bubbles.ts'
import { required } from '#kit/errors.ts'
import type { AssistantAdapter, Question } from '#providers/assistants/port.ts'
import { reading, unit } from '#server/context.ts'
import type { SlowCtx } from '#server/http/route.ts'
import type { AccountForm } from '#server/providers/accounts.ts'
import { findAccount, updateAccount } from '#server/providers/queries.ts'
import { accounts, KIND } from './accounts.ts'
import { adapterFor, reachAccount } from './adapters.ts'
import { askAccount } from './ask.ts'
import { insertCalls } from './queries-costs.ts'
import { shownAnswer } from './shown.ts'

type Filling = Pick<AccountForm, 'provider' | 'config' | 'secrets'>

/** Returns a test question without ticket. */
const trialOf = (id: string, text: string, system: string): Omit<Question, 'signal'> => ({
  ...{ system, history: [], text, files: [], sessionId: id, customerId: id, handle: null, memory: null },
  about: {
    contact: { id: 0, name: 'Cliente de teste', number: '', email: '' },
    ticket: { id: 0, status: 'pending', queueId: null },
    connection: { id: 0, name: 'Teste', type: 'test' },
  },
  callbackUrl: null,
})

/** Sends a test question to an account; its result is stored as the account's state, and accounted. */
export async function testAccount({ platform, tenantId, user }: SlowCtx, id: number, text: string) {
  await platform.limits.use('providerTest', `${tenantId} assistant`)
  const row = required(await platform.db.read(tenantId, (db) => findAccount(db, KIND, id)), 'ERR_NO_ASSISTANT_FOUND')
  const begun = performance.now()
  const system = String(row.config['prompt'] ?? '')
  const session = crypto.randomUUID()
  const { answer, failure, calls } = await askAccount(platform, tenantId, row, trialOf(session, text, system), {
    repeats: false,
  })
  await unit(platform, { tenantId, user }, async (ctx) => {
    const counted = calls.map((call) => ({ ...call, purpose: 'test' as const, ticketId: null, turnId: null }))
    await insertCalls(ctx.db, counted, ctx.now)
    const sentence = failure?.message ?? `Respondeu em ${Math.round(performance.now() - begun)} ms.`
    await updateAccount(
      ctx.db,
      id,
      { state: { ok: failure === null, text: sentence, at: ctx.now.toISOString() } },
      ctx.now,
    )
  })
  return {
    ok: answer !== null,
    answer: answer ? asMessage(shownAnswer(answer)) : '',
    model: answer?.model ?? '',
    inputTokens: answer?.inputTokens ?? 0,
    outputTokens: answer?.outputTokens ?? 0,
    ms: Math.round(performance.now() - begun),
    error: failure?.message ?? null,
  }
}

/** Returns the models that an account may use; empty, with the reason, if the provider lists none. */
export async function listModels({ platform, tenantId, user }: SlowCtx, id: number) {
  await platform.limits.use('providerTest', `${tenantId} assistant`)
  const row = required(
    await reading(platform, { tenantId, user }, ({ db }) => findAccount(db, KIND, id)),
    'ERR_NO_ASSISTANT_FOUND',
  )
  return modelsOf((await reachAccount(platform, tenantId, row))?.adapter)
}

/** Lists the models of an account being edited. */
export async function listModelsFor({ platform, tenantId }: SlowCtx, { provider, config, secrets }: Filling) {
  await platform.limits.use('providerTest', `${tenantId} assistant`)
  return modelsOf(await adapterFor(platform, provider, accounts.filled(provider, { config, secrets })))
}

async function modelsOf(adapter: AssistantAdapter | null | undefined) {
  if (!adapter?.models) return { models: [], problem: 'Este provedor não diz quais modelos tem.' }
  return adapter.models(AbortSignal.timeout(15_000)).then(
    (models) => ({ models: models.slice(0, 1000), problem: null }),
    (error: unknown) => ({ models: [], problem: error instanceof Error ? error.message : 'O provedor não respondeu.' }),
  )
}
