import { PassThrough } from 'node:stream'
import { maskName, maskValue } from '#domain/access/restricted.ts'
import { asMessage } from '#domain/assistants/bubbles.ts'
import { ORDER } from '#domain/assistants/choice.ts'
import { type CopilotTask, copilotQuestion, needsText, type Spoken } from '#domain/assistants/copilot.ts'
import { requireVisible } from '#features/visibility/server/index.ts'
import { fail, required } from '#kit/errors.ts'
import { assistantConfigs } from '#providers/assistants/configs.ts'
import type { Question } from '#providers/assistants/port.ts'
import { type Ctx, type ReadCtx, reading, unit } from '#server/context.ts'
import type { Download } from '#server/http/download.ts'
import type { SlowCtx } from '#server/http/route.ts'
import { listAccounts, type StoredAccount } from '#server/providers/queries.ts'
import { KIND } from './accounts.ts'
import { askAccount } from './ask.ts'
import { usedUp } from './costs.ts'
import { isPermitted } from './permitted.ts'
import { insertCalls, noteOutcome } from './queries-costs.ts'
import { type AboutRow, findAbout, findSituations, findTalk } from './queries-turns.ts'
import { shownText } from './shown.ts'

/** Request to the copilot of a ticket. */
export type CopilotWish = Pick<CopilotTask, 'use' | 'text' | 'style' | 'language'>

const MOST_MESSAGES = 60
/** Order of models for the copilot: those with a ticket switch first. */
const PREFERRED: readonly string[] = [...ORDER, 'groqcloud']

/**
 * Answers an agent as a stream of JSON lines: each `piece`, then the whole `answer` with its `id`, or an `error`. Data that
 * is masked for the agent is also masked for the model. Nothing is sent to the customer.
 */
export async function askCopilot(ctx: SlowCtx, ticketId: number, wish: CopilotWish): Promise<Download> {
  const { platform, tenantId, user } = ctx
  await platform.limits.use('copilot', `${tenantId}:${user.id}`)
  if (needsText(wish.use) && wish.text.trim() === '') fail('ERR_VALIDATION', { text: 'Escreva alguma coisa antes.' })
  const { account, question } = await reading(platform, { tenantId, user }, (inner) =>
    prepare({ ...inner, user }, ticketId, wish),
  )
  const id = crypto.randomUUID()
  const stream = new PassThrough()
  const emit = (part: object) => stream.writable && stream.write(`${JSON.stringify(part)}\n`)
  const stopping = new AbortController()
  stream.on('close', () => stopping.abort())
  const work = async () => {
    const onText = (piece: string) => void emit({ piece })
    const how = { repeats: false, firstCall: id, signal: stopping.signal }
    const { answer, failure, calls } = await askAccount(platform, tenantId, account, { ...question, onText }, how)
    await unit(platform, { tenantId, user }, (inner) =>
      insertCalls(
        inner.db,
        calls.map((call) => ({ ...call, purpose: 'copilot' as const, ticketId, turnId: null, userId: user.id })),
        inner.now,
      ),
    )
    if (answer) emit({ id, answer: asMessage(shownText(answer)), model: answer.model })
    else emit({ error: failure?.message ?? 'O assistente não respondeu.' })
  }
  void work()
    .catch((err: unknown) => {
      platform.log.error({ err, tenantId }, 'a copilot failed')
      emit({ error: 'O copiloto falhou. Tente de novo.' })
    })
    .finally(() => stream.end())
  return { stream, contentType: 'text/plain; charset=utf-8', name: 'copiloto.jsonl' }
}

/** Stores an agent's decision on a copilot's answer. */
export async function saveOutcome(ctx: Ctx & { user: { id: number } }, id: string, outcome: string): Promise<void> {
  if (!(await noteOutcome(ctx.db, { id, userId: ctx.user.id, outcome }))) fail('ERR_NOT_FOUND')
}

async function prepare(
  ctx: ReadCtx & { user: SlowCtx['user'] },
  ticketId: number,
  wish: CopilotWish,
): Promise<{ account: StoredAccount; question: Omit<Question, 'signal'> }> {
  await requireVisible(ctx, ticketId)
  const account = await modelFor(ctx, ticketId)
  const spent = await usedUp(ctx, account)
  if (spent) fail(spent.code)
  const talk = await findTalk(ctx.db, ticketId, 0, MOST_MESSAGES)
  const about = required(await findAbout(ctx.db, ticketId), 'ERR_NO_TICKET_FOUND')
  const all = talk.flatMap(({ fromMe, body, transcript }): Spoken[] => {
    const spoken = body.trim() || transcript
    return spoken ? [{ by: fromMe ? 'company' : 'customer', text: spoken }] : []
  })
  const read = wish.use === 'read' ? lastOfCustomer(all) : all
  const facts = factsOf(about, ctx.user.restrictedUser)
  const { system, text } = copilotQuestion({ ...wish, text: wish.text.trim(), talk: read, facts })
  const name = `guiche-${ctx.tenantId}-copilot`
  return {
    account,
    question: {
      ...{ system, text, history: [], files: [], sessionId: name, customerId: name, handle: null, memory: null },
      about: {
        // Models do not need these values, and data hidden from restricted users must not leave.
        contact: { id: 0, name: '', number: '', email: '' },
        ticket: { id: ticketId, status: about.status, queueId: about.queueId },
        connection: { id: about.connectionId, name: about.connectionName, type: about.connectionType },
      },
      callbackUrl: null,
    },
  }
}

/** Returns the customer's messages since the company's last one. */
function lastOfCustomer(talk: readonly Spoken[]): readonly Spoken[] {
  const from = talk.findLastIndex(({ by }) => by === 'company') + 1
  const since = talk.slice(from)
  return since.length > 0 ? since : talk.filter(({ by }) => by === 'customer').slice(-1)
}

function factsOf({ name, number, email, connectionName }: AboutRow, isMasked: boolean): Record<string, string> {
  const all = {
    Nome: isMasked ? maskName(name) : name,
    Número: (isMasked ? maskValue(number) : number) ?? '',
    'E-mail': (isMasked ? maskValue(email) : email) ?? '',
    Canal: connectionName,
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
}

/** Returns the model for a ticket's copilot: the connection's, else the first connected one. */
async function modelFor(ctx: ReadCtx, ticketId: number): Promise<StoredAccount> {
  const models = new Set(assistantConfigs.flatMap(({ id, kind }) => (kind === 'model' ? [id] : [])))
  const own = (await listAccounts(ctx.db, KIND)).filter(
    ({ is_active: isActive, provider }) =>
      isActive && models.has(provider) && (provider === 'groqcloud' || isPermitted(ctx.settings, provider)),
  )
  const chosen = (await findSituations(ctx.db, [ticketId])).get(ticketId)?.accountId
  const first = own.toSorted((a, b) => PREFERRED.indexOf(a.provider) - PREFERRED.indexOf(b.provider))[0]
  return own.find(({ id }) => id === chosen) ?? first ?? fail('ERR_NO_ACCOUNT_FOR_THIS')
}
