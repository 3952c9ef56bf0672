import type { Action } from '#domain/actions/actions.ts'
import { firstOf, itemAt } from '#domain/present.ts'
import { type Condition, type Decided, isHeard, namedByConditions, whyConditionGone } from '#domain/rules/rules.ts'
import { describeActions, requireNamed } from '#features/macros/server/index.ts'
import { saveSettings } from '#features/settings/server/index.ts'
import { visibleSql } from '#features/visibility/server/index.ts'
import type { Returned } from '#kit/contract.ts'
import { errorText, fail, required } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import type { Ctx, ReadCtx } from '#server/context.ts'
import { countLocked, lockCount } from '#server/db/caps.ts'
import { implement } from '#server/http/route.ts'
import { COUNTED, countOf, exactPageStartOf, pageOf } from '#server/paging.ts'
import { ruleEvents, rules } from '../contract.ts'
import { activeEvents, countRuns, listRuns, matchedSince, type RuleRecord, ruleRows, saveRule } from './queries.ts'
import { conditionNames, describeConditions, describeDecided, idsThere, readRule } from './stored.ts'
import { tryRule } from './trial.ts'

type Asking = Pick<ReadCtx, 'db' | 'now'>
type WriteCtx = Ctx & { user: Actor }
type Serialized = Returned<typeof rules.get>
type Changes = { conditions: readonly Condition[]; actions: readonly Action[] }

const MOST_RULES = 100
const LATELY_MS = 30 * 24 * 3_600_000

/** Routes of rules. */
export const ruleRoutes = implement(rules, {
  list: async (ctx, { query }) => {
    const { rows, page } = await ruleRows.list(ctx.db, query)
    return { items: await serialized(ctx, rows), ...page }
  },
  get: (ctx, { params }) => one(ctx, params.id),
  create: async (ctx, { body }) => {
    if ((await countLocked(ctx.db, 'rules')) >= MOST_RULES) fail('ERR_MAX_RULES')
    const { name, event, isActive = false, match = 'all', conditions = [], actions } = body
    const next = { conditions, actions } as Changes
    requireTexts(event, next.conditions)
    await requireThere(ctx, next, { conditions: [], actions: [] })
    const more = { conditions: JSON.stringify(conditions), actions: JSON.stringify(actions) }
    const { id } = await ruleRows.insert(ctx.db, { name, event, isActive, match }, ctx.now, more)
    return written(ctx, id, 'create')
  },
  update: async (ctx, { params: { id }, body }) => {
    const before = required(await ruleRows.lock(ctx.db, id), 'ERR_NO_RULE_FOUND')
    const earlier: Changes = readRule(before) ?? { conditions: [], actions: [] }
    const { conditions = earlier.conditions, actions = earlier.actions, ...fields } = body
    const next = { conditions, actions } as Changes
    requireTexts(fields.event ?? before.event, next.conditions)
    await requireThere(ctx, next, earlier)
    await ruleRows.update(ctx.db, id, fields, ctx.now)
    if (body.conditions || body.actions) await saveRule(ctx.db, id, next)
    return written(ctx, id, 'update')
  },
  remove: async (ctx, { params: { id } }) => {
    if (!(await ruleRows.remove(ctx.db, id))) fail('ERR_NO_RULE_FOUND')
    await published(ctx, id, 'delete')
    return { message: 'ok' }
  },
  arrange: async (ctx, { body: { ids } }) => {
    if (!(await ruleRows.arrange(ctx.db, ids))) fail('ERR_NO_RULE_FOUND')
    for (const id of ids) ctx.emit(ruleEvents.changed, { id, action: 'update' }, { kind: 'tenant' })
    return { message: 'ok' }
  },
  try: async (ctx, { body: { event, match = 'all', conditions = [], actions } }) => {
    const rule = { event, match, conditions, actions } as Changes & { event: typeof event; match: typeof match }
    requireTexts(event, rule.conditions)
    await requireThere(ctx, rule, { conditions: [], actions: [] })
    return tryRule(ctx, rule)
  },
  runs: async (ctx, { params: { id }, query }) => {
    required(await ruleRows.find(ctx.db, id), 'ERR_NO_RULE_FOUND')
    const visible = visibleSql(ctx.user, ctx.settings)
    const found = await listRuns(ctx.db, id, { visible, start: exactPageStartOf(query, 1) })
    const { rows, paging } = pageOf(found, (row) => [row.id])
    const steps = rows.map((row) => row.steps as { action: Action; refusal: string | null }[])
    const described = await describeActions(
      ctx.db,
      steps.map((all) => all.map(({ action }) => action)),
    )
    // Facts of a ticket are shown to those who see it.
    const decided = await describeDecided(
      ctx.db,
      rows.map(({ ticketId, conditions }) => (ticketId === null ? [] : (conditions as Decided[]))),
    )
    const items = rows.map((row, n) => ({
      ...row,
      conditions: itemAt(decided, n),
      steps: itemAt(described, n).map((step, index) => {
        const { refusal } = itemAt(itemAt(steps, n), index)
        return { ...step, refusal: refusal && errorText(refusal) }
      }),
    }))
    return { items, ...countOf(await countRuns(ctx.db, id, COUNTED)), ...paging }
  },
})

const one = async (ctx: Asking, id: number): Promise<Serialized> =>
  firstOf(await serialized(ctx, [required(await ruleRows.find(ctx.db, id), 'ERR_NO_RULE_FOUND')]))

function requireTexts(event: RuleRecord['event'], conditions: readonly Condition[]): void {
  if (conditions.some((condition) => !isHeard(event, condition)))
    fail('ERR_VALIDATION', { conditions: 'Só quando alguém escreve há uma mensagem com palavras.' })
}

// Newly used records must exist; deleted ones used before are kept, and shown as a problem.
async function requireThere({ db }: Pick<Asking, 'db'>, next: Changes, earlier: Changes): Promise<void> {
  const there = idsThere(await conditionNames(db, next.conditions))
  const known = namedByConditions(earlier.conditions)
  const permitted = {
    tag: [...there.tag, ...known.tag],
    queue: [...there.queue, ...known.queue],
    user: [...there.user, ...known.user],
    stage: [...there.stage, ...known.stage],
    connection: [...there.connection, ...known.connection],
  }
  for (const condition of next.conditions) {
    const gone = whyConditionGone(condition, permitted)
    if (gone) fail(gone)
  }
  await requireNamed(db, next.actions, earlier.actions)
}

async function written(ctx: WriteCtx, id: number, action: 'create' | 'update'): Promise<Serialized> {
  await published(ctx, id, action)
  return one(ctx, id)
}

// Without a rule for an event, the event does not query rules.
async function published(ctx: WriteCtx, id: number, action: 'create' | 'update' | 'delete'): Promise<void> {
  // Serializes concurrent saves, so that the second reads the first's result.
  await lockCount(ctx.db, 'rules')
  await saveSettings(ctx, { ruleEvents: JSON.stringify(await activeEvents(ctx.db)) })
  ctx.emit(ruleEvents.changed, { id, action }, { kind: 'tenant' })
}

async function serialized({ db, now }: Asking, rows: readonly RuleRecord[]): Promise<Serialized[]> {
  const read = rows.map((row) => readRule(row) ?? { conditions: [], actions: [] })
  const names = await conditionNames(
    db,
    read.flatMap(({ conditions }) => conditions),
  )
  const steps = await describeActions(
    db,
    read.map(({ actions }) => actions),
  )
  const matched = await matchedSince(
    db,
    rows.map(({ id }) => id),
    new Date(now.getTime() - LATELY_MS),
  )
  return rows.map(({ conditions: _, actions: __, ...row }, n) => ({
    ...row,
    ...(matched.get(row.id) ?? { matched: 0, lastMatchedAt: null }),
    conditions: describeConditions(itemAt(read, n).conditions, names),
    steps: itemAt(steps, n),
  }))
}
