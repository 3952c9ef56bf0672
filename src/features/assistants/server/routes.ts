import { ORDER } from '#domain/assistants/choice.ts'
import { isOneOf } from '#domain/keys.ts'
import { ASSISTANTS, type TicketAssistant } from '#domain/tickets/assistants.ts'
import { saveSettings } from '#features/settings/server/index.ts'
import { requireVisible } from '#features/visibility/server/index.ts'
import { fail, required } from '#kit/errors.ts'
import type { Ctx } from '#server/context.ts'
import { lockCount } from '#server/db/caps.ts'
import { implement, type SlowCtx } from '#server/http/route.ts'
import type { ShownAccount } from '#server/providers/accounts.ts'
import { findAccount } from '#server/providers/queries.ts'
import {
  assistantAnswers,
  assistants,
  assistantTurns,
  connectionAssistants,
  copilot,
  phoneAssistants,
  queueAssistants,
  transcripts,
} from '../contract.ts'
import type { AccountState } from './account-state.ts'
import { accounts, KIND } from './accounts.ts'
import { answeringAccounts } from './answering.ts'
import { readCalls } from './calls.ts'
import { askCopilot, saveOutcome } from './copilot.ts'
import { answersThisMonth, periodOf, spentThisMonth } from './costs.ts'
import { receiveAnswer } from './deferred-answers.ts'
import { permittedBy } from './permitted.ts'
import { beginCalls, phoneChoices } from './phone-calls.ts'
import {
  findChoice,
  hasConnection,
  hasQueue,
  listChoices,
  listQueueChoices,
  saveChoice,
  saveQueueChoice,
} from './queries-connections.ts'
import { sumUsed } from './queries-costs.ts'
import { listTurns } from './queries-turns.ts'
import { transcribeFor } from './transcribe.ts'
import { listModels, listModelsFor, testAccount } from './try.ts'
import { currentWarnings } from './warnings.ts'

const MOST_ACCOUNTS = 50

const isState = (state: object): state is AccountState => 'text' in state && state.text !== undefined

const shown = (account: ShownAccount, monthCost: number) => {
  const { state } = account
  const answersTickets = isTicketAssistant(account.provider)
  return { ...account, answersTickets, state: isState(state) ? state : null, monthCost }
}

const withText = (secrets: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(secrets).map(([name, value]) => [
      name,
      value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  )

const isTicketAssistant = (provider: string): provider is TicketAssistant => isOneOf(ASSISTANTS, provider)

/** Switches an assistant on when its account is connected. */
async function switchOn(ctx: Ctx, { provider, isActive }: ShownAccount): Promise<void> {
  if (isActive && isTicketAssistant(provider))
    await saveSettings({ ...ctx, audit: () => {} }, { [provider]: 'enabled' })
}

/** Routes of assistants. */
export const assistantRoutes = implement(assistants, {
  list: async (ctx) => {
    const spent = await spentThisMonth(ctx)
    const all = await accounts.list(ctx)
    const answers = await answersThisMonth(ctx)
    const budget = Number(ctx.settings.values.assistantsBudget)
    return {
      assistants: all.map((one) => shown(one, spent.of(one.id))),
      month: { cost: spent.total, budget, ...answers },
    }
  },
  costs: async ({ db, now, settings: { timezone } }, { query }) => {
    const { from, until } = periodOf(query, now, timezone)
    const used = await sumUsed(db, from, until, timezone)
    return { ...used, accounts: used.accounts.map((one) => ({ ...one, name: one.name ?? 'Conta excluída' })) }
  },
  choices: async ({ db }) => ({ assistants: await answeringAccounts(db) }),
  calls: (ctx, { query }) => readCalls(ctx, query),
  warnings: async (ctx) => ({ warnings: await currentWarnings(ctx) }),
  connections: async ({ db }) => ({ connections: await listChoices(db) }),
  create: async (ctx, { body }) => {
    await lockCount(ctx.db, 'provider_settings')
    if ((await accounts.list(ctx)).length >= MOST_ACCOUNTS) fail('ERR_MAX_ASSISTANTS')
    const made = await accounts.create(ctx, { ...body, secrets: withText(body.secrets) })
    await switchOn(ctx, made)
    return shown(made, 0)
  },
  update: async (ctx, { params, body }) => {
    const { secrets, ...rest } = body
    const changes = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
    const before = await findAccount(ctx.db, KIND, params.id)
    const saved = await accounts.save(ctx, params.id, {
      ...changes,
      ...(secrets ? { secrets: withText(secrets) } : {}),
    })
    if (before?.is_active === false) await switchOn(ctx, saved)
    return shown(saved, (await spentThisMonth(ctx)).of(saved.id))
  },
  remove: async (ctx, { params }) => {
    await accounts.remove(ctx, params.id)
    return { message: 'ok' }
  },
  test: (ctx, { params, body }) => testAccount(ctx, params.id, body.text),
  modelsFor: (ctx, { body }) => listModelsFor(ctx, { ...body, secrets: withText(body.secrets) }),
  models: (ctx, { params }) => listModels(ctx, params.id),
})

/** Routes of connections' assistants. */
export const connectionRoutes = implement(connectionAssistants, {
  get: async ({ db }, { params }) => {
    if (!(await hasConnection(db, params.id))) fail('ERR_NO_WAPP_FOUND')
    return findChoice(db, params.id)
  },
  set: async (ctx, { params, body }) => {
    if (!(await hasConnection(ctx.db, params.id))) fail('ERR_NO_WAPP_FOUND')
    if (body.agentId != null) fail('ERR_VALIDATION', { agentId: 'Ainda não há agentes de IA nesta versão.' })
    const before = await findChoice(ctx.db, params.id)
    const changes = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
    const after = { ...before, ...changes }
    if (after.assistantId !== null && after.assistantId !== before.assistantId)
      required(await findAccount(ctx.db, KIND, after.assistantId), 'ERR_NO_ASSISTANT_FOUND')
    await saveChoice(ctx.db, params.id, after, ctx.now)
    ctx.audit({ before, after })
    return after
  },
})

/** Routes of queues' assistants. */
export const queueRoutes = implement(queueAssistants, {
  list: async ({ db }) => ({ queues: await listQueueChoices(db) }),
  set: async (ctx, { params, body: { assistantId } }) => {
    if (!(await hasQueue(ctx.db, params.id))) fail('ERR_NO_QUEUE_FOUND')
    if (assistantId !== null) required(await findAccount(ctx.db, KIND, assistantId), 'ERR_NO_ASSISTANT_FOUND')
    await saveQueueChoice(ctx.db, params.id, assistantId, ctx.now)
    ctx.audit({ after: { assistantId } })
    return { message: 'ok' }
  },
})

/** Routes of assistants' answers in a ticket. */
export const turnRoutes = implement(assistantTurns, {
  list: async (ctx, { params }) => {
    const { row } = await requireVisible(ctx, params.id)
    const switches: Readonly<Record<string, unknown>> = row.assistants
    const permitted = permittedBy(ctx.settings)
    const own = new Set((await accounts.list(ctx)).flatMap(({ provider, isActive }) => (isActive ? [provider] : [])))
    const answering = ORDER.filter((name) => permitted.has(name) && own.has(name))
    return {
      turns: await listTurns(ctx.db, params.id),
      assistants: answering.map((id) => ({ id, isOn: switches[id] === true, name: accounts.configOf(id)?.name ?? id })),
    }
  },
})

/** Routes of the copilot. */
export const copilotRoutes = implement(copilot, {
  ask: (ctx, { params, body }) => askCopilot(ctx, params.id, body),
  keep: async (ctx, { params, body }) => {
    await saveOutcome(ctx, params.answerId, body.outcome)
    return { message: 'ok' }
  },
})

/** Routes of transcripts. */
export const transcriptRoutes = implement(transcripts, {
  make: (ctx, { params }) => transcribeFor(ctx, params.recordingId),
})

/** Routes for answers that providers deliver later. */
export const answerRoutes = implement(assistantAnswers, {
  receive: async ({ platform }, { params, receive }) => {
    await receiveAnswer(platform, params.token, receive)
    return { message: 'ok' }
  },
})

/** Throws ERR_NO_TENANT_FOUND unless the id is the own company's. */
const own = (ctx: SlowCtx, id: number): SlowCtx => (id === ctx.tenantId ? ctx : fail('ERR_NO_TENANT_FOUND'))

/** Routes of assistants' phone calls. */
export const phoneRoutes = implement(phoneAssistants, {
  assistants: (ctx, { params }) => phoneChoices(own(ctx, params.id), 'assistants'),
  numbers: (ctx, { params }) => phoneChoices(own(ctx, params.id), 'numbers'),
  call: async (ctx, { params, body }) => ({ calls: await beginCalls(own(ctx, params.id), body) }),
})
