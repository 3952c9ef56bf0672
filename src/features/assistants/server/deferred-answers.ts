import { lockLedgerTickets } from '#features/ledger/server/ticket/index.ts'
import { fail, required } from '#kit/errors.ts'
import { unit } from '#server/context.ts'
import type { Platform } from '#server/platform.ts'
import { findAccount } from '#server/providers/queries.ts'
import { readClaim } from '#server/signed-claims.ts'
import { KIND } from './accounts.ts'
import { reachAccount } from './adapters.ts'
import { prepareBubbles, writeBubbles } from './deliver.ts'
import { answerFlow, NO_ANSWER } from './flow-answers.ts'
import { toPeople } from './hand-over.ts'
import { findSituations, lockTurn, ticketOfTurn, updateTurn } from './queries-turns.ts'
import { shownText } from './shown.ts'
import { cancel, isStillTheirs } from './turn.ts'

/** Receives an answer that a provider delivers later, in any format, and sends it once; refused if its turn no longer waits. */
export async function receiveAnswer(platform: Platform, token: string, body: unknown): Promise<void> {
  const { tenantId, id } = readClaim(platform, 'answer', token)
  await platform.limits.use('webhook', `answers ${tenantId}`)
  const base = { tenantId, user: null }
  const ticketId = required(await platform.db.read(tenantId, (db) => ticketOfTurn(db, id)), 'ERR_NOT_FOUND')
  const { found, account } = await unit(platform, base, async (ctx) => {
    const [locked] = await lockLedgerTickets(ctx.db, [ticketId])
    const accountId = (await lockTurn(ctx.db, id))?.account_id
    return { found: locked, account: accountId ? await findAccount(ctx.db, KIND, accountId) : undefined }
  })
  const ticket = required(found, 'ERR_NOT_FOUND')
  const reached = account && (await reachAccount(platform, tenantId, account))
  const answer = { bubbles: reached?.adapter.deferred?.(body) ?? fail('ERR_NOT_FOUND') }
  const deliverable = await prepareBubbles(platform, tenantId, ticket, answer)
  const isTaken = await unit(platform, base, async (ctx) => {
    const [locked] = await lockLedgerTickets(ctx.db, [ticketId])
    const turn = await lockTurn(ctx.db, id)
    const row = (await findSituations(ctx.db, [ticketId])).get(ticketId)
    if (!locked || !row || turn?.status !== 'later') return false
    if (!(await isStillTheirs(ctx, row, turn))) {
      await cancel(ctx, turn)
      return false
    }
    const count = turn.flow?.isSilent ? 0 : await writeBubbles(ctx, locked, id, deliverable)
    await updateTurn(ctx.db, id, { status: 'answered', message_count: count, ended_at: ctx.now, lease_until: null })
    const isEmpty = deliverable.length === 0
    if (turn.flow)
      answerFlow(ctx, turn.flow, isEmpty ? NO_ANSWER : { exit: 'answered', answer: shownText(answer), read: 0 })
    else if (isEmpty) await toPeople(ctx, ticketId, row)
    return true
  })
  if (!isTaken) fail('ERR_NOT_FOUND')
}
