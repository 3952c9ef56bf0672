import { z } from 'zod'
import { termsIn } from '#domain/groups/terms.ts'
import { greetingFor, isAsWished } from '#domain/groups/tools.ts'
import { spellingsOf } from '#domain/phone/brazil.ts'
import { present } from '#domain/present.ts'
import { receive } from '#features/ledger/server/ingest/index.ts'
import { findByIdFront } from '#features/ledger/server/messages/index.ts'
import type { GroupHook, GroupNews } from '#features/ledger/server/ports/index.ts'
import { writeToEach } from '#features/tickets/server/begin/index.ts'
import { errorText } from '#kit/errors.ts'
import { isSendFailure } from '#providers/channels/port.ts'
import { type Ctx, unit } from '#server/context.ts'
import { job } from '#server/job.ts'
import type { Platform } from '#server/platform.ts'
import { groupToolEvents } from '../contract.ts'
import { askGroups } from './ask.ts'
import { AUDIENCE, enqueueLook } from './look.ts'
import { findConnections, type KnownConnection } from './queries.ts'
import {
  type ActiveRule,
  countHits,
  findRule,
  forgetStrikes,
  insertArrivals,
  knownGroups,
  noteProblem,
  rulesOf,
  strike,
  takeArrivals,
} from './queries-rules.ts'

/** Delay in which joining members are collected, to greet them together. */
const TOGETHER_MS = 2000
/** Value of `send_type` for automatic messages to groups. */
const SEND_TYPE = 'group'

const keyOf = ({ connectionId, key }: { connectionId: number; key: string }): string => `${connectionId}|${key}`
const queueOf = (ctx: Pick<Ctx, 'tenantId'>, connectionId: number) => ({
  queue: `group-enforce:${ctx.tenantId}:${connectionId}`,
})
const isNumber = (number: string | null, other: string): boolean =>
  number !== null && spellingsOf(number.replace(/\D/g, '')).includes(other.replace(/\D/g, ''))

/** Hook that carries out group rules: greetings, farewells, banned numbers, forbidden words. */
export const groupRulesHook: GroupHook = {
  name: 'groupRules',
  async run(ctx, news) {
    const changed = news.filter(({ what }) => what !== 'wrote')
    if (changed.length > 0)
      for (const { connectionId, key } of await knownGroups(ctx.db, changed)) enqueueLook(ctx, connectionId, key)
    const rules = Map.groupBy(await rulesOf(ctx.db, news), keyOf)
    if (rules.size === 0) return
    const ids = [...new Set(news.map(({ connectionId }) => connectionId))]
    const connections = new Map((await findConnections(ctx.db, ids)).map((one) => [one.id, one]))
    for (const one of news) {
      const connection = connections.get(one.connectionId)
      const active = rules.get(keyOf(one)) ?? []
      if (!connection || active.length === 0) continue
      if (one.what === 'joined' || one.what === 'left') await cameOrWent(ctx, one, connection, active)
      if (one.what === 'wrote' && connection.isWatching && !one.isAdmin) await wrote(ctx, one, active)
    }
  },
}

/** Removes banned members, and schedules greetings or farewells for the others. */
async function cameOrWent(
  ctx: Ctx,
  { connectionId, key, contactId, what, people }: GroupNews,
  { number: own }: KnownConnection,
  rules: readonly ActiveRule[],
): Promise<void> {
  const others = people.filter(({ number }) => own === '' || !isNumber(number, own))
  const banOf = (number: string | null) => rules.find((one) => one.kind === 'ban' && isNumber(number, one.value))
  const banned = others.flatMap((who) => {
    const rule = banOf(who.number)
    return rule ? [{ who, rule }] : []
  })
  if (what === 'joined') {
    for (const { who, rule } of banned)
      ctx.enqueue(
        removeJob,
        { ruleId: rule.id, connectionId, key, identity: who.identity, number: who.number },
        queueOf(ctx, connectionId),
      )
    await countHits(
      ctx.db,
      banned.map(({ rule }) => rule.id),
      ctx.now,
    )
  }
  const kind = what === 'joined' ? 'greeting' : 'farewell'
  const spoken = others.filter(({ number }) => !banOf(number))
  if (spoken.length === 0 || !rules.some((one) => one.kind === kind)) return
  await insertArrivals(
    ctx.db,
    spoken.map(({ name }) => ({ connectionId, key, kind, contactId, name })),
  )
  const runAt = new Date(ctx.now.getTime() + TOGETHER_MS)
  ctx.enqueue(
    greetJob,
    { connectionId, key, kind },
    { key: `group-greet:${ctx.tenantId}:${connectionId}:${key}:${kind}`, runAt },
  )
}

/** Searches a message for forbidden words and carries out the consequences. */
async function wrote(
  ctx: Ctx,
  { connectionId, key, contactId, people, text, providerId }: GroupNews,
  rules: readonly ActiveRule[],
): Promise<void> {
  const [author] = people
  const found = termsIn(
    text,
    rules.filter(({ kind }) => kind === 'word'),
  )
  if (!author || found.length === 0) return
  await countHits(
    ctx.db,
    found.map(({ id }) => id),
    ctx.now,
  )
  const { identity, name, number } = author
  const queue = queueOf(ctx, connectionId)
  const deleting = found.find(({ deletes }) => deletes)
  if (deleting && providerId)
    ctx.enqueue(takeBackJob, { ruleId: deleting.id, connectionId, key, providerId, author: identity }, queue)
  const warning = found.find((one) => one.warning !== '')
  if (warning) ctx.enqueue(warnJob, { ruleId: warning.id, contactId, name, idFront: ctx.newId() }, queue)
  const limits = found.flatMap(({ removeAfter }) => removeAfter ?? [])
  if (limits.length === 0) return
  const count = await strike(ctx.db, { connectionId, key, identity }, ctx.now)
  const limit = Math.min(...limits)
  if (count < limit) return
  await forgetStrikes(ctx.db, { connectionId, key, identity })
  const { id: ruleId } = present(found.find(({ removeAfter }) => removeAfter === limit))
  ctx.enqueue(removeJob, { ruleId, connectionId, key, identity, number }, queue)
}

/** Carries out a rule's action outside of any transaction, and stores the reason of a failure with the rule. */
async function enforce(platform: Platform, tenantId: number, ruleId: number, work: () => Promise<string>) {
  const problem = await work().catch((error: unknown) => {
    // Requests that were not sent are retried by the job.
    if (!isSendFailure(error) || error.kind === 'unreachable') throw error
    return error.message
  })
  await unit(platform, { tenantId, user: null }, async (ctx) => {
    await noteProblem(ctx.db, ruleId, problem)
    ctx.emit(groupToolEvents.changed, { what: 'rules' }, AUDIENCE)
  })
}

const isThere = (platform: Platform, tenantId: number, ruleId: number): Promise<boolean> =>
  platform.db.read(tenantId, async (db) => (await findRule(db, ruleId)) !== undefined)

/** Job that removes a member from a group: banned, or after too many forbidden words. */
export const removeJob = job({
  name: 'group-tools:remove',
  schema: z.object({
    ruleId: z.number(),
    connectionId: z.number(),
    key: z.string(),
    identity: z.string(),
    number: z.string().nullable(),
  }),
  async run(platform, { tenantId, ruleId, connectionId, key, identity }) {
    if (!(await isThere(platform, tenantId, ruleId))) return
    await enforce(platform, tenantId, ruleId, async () => {
      const change = { type: 'members', change: 'remove', whom: [identity] } as const
      const [outcome] = await askGroups(platform, 'changeGroup', { tenantId, connectionId, key, change })
      const isDone = outcome === undefined || isAsWished('remove', outcome.code)
      return isDone ? '' : `Quem devia sair não foi removido (${outcome.code}).`
    })
    await unit(platform, { tenantId, user: null }, async (ctx) => enqueueLook(ctx, connectionId, key))
  },
})

/** Job that revokes a message with a forbidden word for everyone, here as well. */
export const takeBackJob = job({
  name: 'group-tools:take-back',
  schema: z.object({
    ruleId: z.number(),
    connectionId: z.number(),
    key: z.string(),
    providerId: z.string(),
    author: z.string(),
  }),
  async run(platform, { tenantId, ruleId, connectionId, key, providerId, author }) {
    if (!(await isThere(platform, tenantId, ruleId))) return
    await enforce(platform, tenantId, ruleId, async () => {
      const change = { type: 'message', providerId, author } as const
      await askGroups(platform, 'changeGroup', { tenantId, connectionId, key, change })
      const timestamp = platform.now().getTime()
      await receive(platform, { tenantId, connectionId }, [
        { type: 'revoke', dedupeKey: `word ${providerId}`, conversationKey: key, providerId, timestamp, fromMe: true },
      ])
      return ''
    })
  },
})

/** Job that warns the author of a forbidden word in the group. */
export const warnJob = job({
  name: 'group-tools:warn',
  schema: z.object({ ruleId: z.number(), contactId: z.number(), name: z.string(), idFront: z.string() }),
  run: (platform, { tenantId, ruleId, contactId, name, idFront }) =>
    unit(platform, { tenantId, user: null }, async (ctx) => {
      const rule = await findRule(ctx.db, ruleId)
      if (!rule || rule.warning === '') return
      const body = greetingFor(rule.warning, { names: [name], group: rule.groupName })
      await noteProblem(ctx.db, ruleId, await send(ctx, rule.connectionId, { contactId, body, idFront }))
    }),
})

/** Job that greets members who joined together, or says farewell to those who left. */
export const greetJob = job({
  name: 'group-tools:greet',
  schema: z.object({ connectionId: z.number(), key: z.string(), kind: z.enum(['greeting', 'farewell']) }),
  run: (platform, { tenantId, connectionId, key, kind }) =>
    unit(platform, { tenantId, user: null }, async (ctx) => {
      const waiting = await takeArrivals(ctx.db, { connectionId, key, kind })
      const rule = (await rulesOf(ctx.db, [{ connectionId, key }])).find((one) => one.kind === kind)
      const [first] = waiting
      if (!first || !rule) return
      const { contactId } = first
      const stored = await findRule(ctx.db, rule.id)
      const names = [...new Set(waiting.map(({ name }) => name))]
      const body = greetingFor(rule.value, { names, group: stored?.groupName ?? '' })
      const problem = await send(ctx, connectionId, { contactId, body })
      await noteProblem(ctx.db, rule.id, problem)
      if (problem === '') await countHits(ctx.db, [rule.id], ctx.now)
      ctx.emit(groupToolEvents.changed, { what: 'rules' }, AUDIENCE)
    }),
})

/** Sends a message to a group once; returns the reason if it cannot be sent, else an empty text. */
async function send(
  ctx: Ctx,
  connectionId: number,
  { contactId, body, idFront }: { contactId: number; body: string; idFront?: string },
): Promise<string> {
  if (idFront && (await findByIdFront(ctx.db, [idFront])).length > 0) return ''
  const message = { contactId, body, file: null, isLiteral: true, ...(idFront ? { idFront } : {}) }
  const refused = await writeToEach(ctx, { connectionId, sendType: SEND_TYPE }, [message])
  const reason = refused.get(contactId)
  return reason ? errorText(reason) : ''
}
