import type { ProviderValues } from '#kit/provider.ts'
import { assistantConfigs } from '#providers/assistants/configs.ts'
import { type Answer, AssistantFailure, NO_USAGE, type Question } from '#providers/assistants/port.ts'
import type { Platform } from '#server/platform.ts'
import type { StoredAccount } from '#server/providers/queries.ts'
import { sanitizeForPostgres } from '#server/sanitize.ts'
import { ANSWER_MS, reachAccount } from './adapters.ts'
import { costOf } from './costs.ts'
import type { CountedCall } from './queries-costs.ts'
import { isResting, noteFailure, noteSuccess } from './rest.ts'

/** Result of asking an account: the calls made, and an answer or the reason without one. */
export type Asked = {
  readonly calls: readonly Omit<CountedCall, 'purpose' | 'ticketId' | 'turnId'>[]
  readonly answer: Answer | null
  readonly failure: AssistantFailure | null
}

/** Delays before the second and third attempt, in ms. */
const WAITS = [700, 2000]
const LONGEST_WAIT_MS = 10_000

type Options = {
  /** Whether a busy or failing provider that had no effect is asked again, twice at most; true by default. */
  readonly repeats?: boolean
  /** Id of the first call for accounting. */
  readonly firstCall?: string
  /** Cancels the call. */
  readonly signal?: AbortSignal
  /** Time limit of all calls (epoch ms); a minute from now by default. */
  readonly until?: number
  /** Called before each call but `firstCall`, with the id that accounts for it. */
  readonly begins?: (callId: string) => Promise<void>
}

/** Asks an account, with its retries, within a time limit. Never throws for the provider's errors. */
export async function askAccount(
  platform: Platform,
  tenantId: number,
  row: StoredAccount,
  question: Omit<Question, 'signal'>,
  { repeats = true, firstCall, signal: ended, begins, ...limits }: Options = {},
): Promise<Asked> {
  const config = assistantConfigs.find(({ id }) => id === row.provider)
  const calls: Asked['calls'][number][] = []
  const until = limits.until ?? platform.now().getTime() + ANSWER_MS
  const key = `${tenantId}:${row.id}`
  if (repeats && isResting(key, platform.now().getTime()))
    return { calls, answer: null, failure: new AssistantFailure('server', RESTING, { hasLeft: false }) }
  const reached = await reachAccount(platform, tenantId, row)
  if (!reached || !config)
    return { calls, answer: null, failure: new AssistantFailure('setup', GONE, { hasLeft: false }) }
  const { adapter, values } = reached
  for (let attempt = 0; ; attempt += 1) {
    const id = (attempt === 0 && firstCall) || crypto.randomUUID()
    if (id !== firstCall) await begins?.(id)
    const begun = performance.now()
    const limit = AbortSignal.timeout(Math.max(1, until - platform.now().getTime()))
    const signal = ended ? AbortSignal.any([ended, limit]) : limit
    const outcome = await adapter.answer({ ...question, signal }).then(
      (answer) => ({ answer, failure: null }),
      (error: unknown) => ({ answer: null, failure: failureOf(platform, row, error) }),
    )
    calls.push({ id, ...costed(row, values, outcome), ms: performance.now() - begun })
    if (outcome.answer) {
      noteSuccess(key)
      return { calls, ...outcome }
    }
    const { failure } = outcome
    // A cancelled call is no failure of the account.
    if (!ended?.aborted) noteFailure(key, platform.now().getTime())
    const wait = Math.min(LONGEST_WAIT_MS, failure.retryAfterMs ?? WAITS[attempt] ?? 0)
    const isWorthwhile =
      repeats &&
      attempt < WAITS.length &&
      mayRepeat(failure, config.hasEffects) &&
      platform.now().getTime() + wait < until
    if (!isWorthwhile) return { calls, answer: null, failure }
    await new Promise((done) => setTimeout(done, wait))
  }
}

/** Returns what a call cost, and its error if it failed. */
function costed(
  { id: accountId, provider }: StoredAccount,
  values: ProviderValues,
  { answer, failure }: Pick<Asked, 'answer' | 'failure'>,
): Omit<Asked['calls'][number], 'id' | 'ms'> {
  const usage = answer ?? failure?.usage ?? NO_USAGE
  return {
    accountId,
    provider,
    model: sanitizeForPostgres(answer?.model ?? String(values['model'] ?? '')),
    inputTokens: usage.inputTokens,
    cachedTokens: usage.cachedTokens,
    outputTokens: usage.outputTokens,
    cost: costOf(values, usage),
    error: failure && sanitizeForPostgres(failure.message),
  }
}

const RESTING = 'Esta conta falhou cinco vezes em um minuto e descansa por um minuto.'
const GONE = 'Esta versão não conhece o provedor.'

// A busy provider has done nothing; a failing one may have, if the call has side effects.
const mayRepeat = ({ problem, hasLeft }: AssistantFailure, hasEffects: boolean): boolean =>
  problem === 'rate' || (problem === 'server' && !hasEffects) || (problem === 'unreachable' && !hasLeft)

function failureOf(platform: Platform, row: StoredAccount, error: unknown): AssistantFailure {
  if (error instanceof AssistantFailure) return error
  platform.log.error({ err: error, provider: row.provider }, 'an assistant failed in its adapter')
  return new AssistantFailure('unread', 'A resposta não é a que este provedor costuma dar.')
}
