import { z } from 'zod'
import { type Named, namedIn } from '#domain/actions/actions.ts'
import { ownMember } from '#domain/keys.ts'
import {
  type Condition,
  type Decided,
  type DecidingValue,
  type NamedByConditions,
  namedByConditions,
  whyConditionGone,
} from '#domain/rules/rules.ts'
import { namesOf } from '#features/macros/server/index.ts'
import { errorText } from '#kit/errors.ts'
import type { Queryable } from '#server/db/db.ts'
import type { DecidedCondition, Rule } from '../contract.ts'
import { conditionForm, ruleAction } from '../forms.ts'
import { connectionNames, type RuleRecord } from './queries.ts'

// Schemas of stored conditions and actions, which an older version may have written.
const storedConditions = z.array(conditionForm)
const storedActions = z.array(ruleAction)

/** Parses a rule's stored conditions and actions; null if this version cannot read them. */
export function readRule({ conditions, actions }: Pick<RuleRecord, 'conditions' | 'actions'>) {
  const [read, done] = [storedConditions.safeParse(conditions), storedActions.safeParse(actions)]
  return read.success && done.success ? { conditions: read.data, actions: done.data } : null
}

/** Names of the records in conditions, by kind; deleted ones are missing. */
type ConditionNames = Record<keyof NamedByConditions, ReadonlyMap<number, string>>

/** Looks up the names of the records in conditions. */
export async function conditionNames(db: Queryable, conditions: readonly Condition[]): Promise<ConditionNames> {
  const { connection, ...named } = namedByConditions(conditions)
  const nothing: Named = namedIn([])
  const { tag, queue, user, stage } = await namesOf(db, { ...nothing, ...named })
  return { tag, queue, user, stage, connection: await connectionNames(db, connection) }
}

/** Returns the ids of existing records. */
export const idsThere = (names: ConditionNames): NamedByConditions => ({
  tag: [...names.tag.keys()],
  queue: [...names.queue.keys()],
  user: [...names.user.keys()],
  stage: [...names.stage.keys()],
  connection: [...names.connection.keys()],
})

const KINDS = ['tag', 'queue', 'user', 'stage', 'connection'] as const

/** Returns conditions with their record names and problems. */
export function describeConditions(conditions: readonly Condition[], names: ConditionNames): Rule['conditions'] {
  const there = idsThere(names)
  return conditions.map((condition) => {
    const named = namedByConditions([condition])
    const problem = whyConditionGone(condition, there)
    return {
      condition: condition as Rule['conditions'][number]['condition'],
      names: KINDS.flatMap((kind) => named[kind].flatMap((id) => names[kind].get(id) ?? [])),
      problem: problem && errorText(problem),
    }
  })
}

const KIND_OF = {
  ...({ queueId: 'queue', userId: 'user', walletIds: 'user', tagIds: 'tag' } as const),
  ...({ stageId: 'stage', connectionId: 'connection' } as const),
} as const

const kindOf = (field: Condition['field']) => ownMember(KIND_OF, field) ?? null

/** Returns decided conditions of several runs with the names of their records. */
export async function describeDecided(
  db: Queryable,
  all: readonly (readonly Decided[])[],
): Promise<DecidedCondition[][]> {
  const named = all.flat().map(({ field, asked, found }) => {
    return { field, is: true, values: [...new Set([...asked, ...found])] } as unknown as Condition
  })
  const names = await conditionNames(db, named)
  const text = (field: Condition['field'], value: DecidingValue): string | null => {
    const kind = kindOf(field)
    return kind === null || value === null ? (value as string | null) : (names[kind].get(Number(value)) ?? '')
  }
  return all.map((one) =>
    one.map(({ field, asked, found, ...rest }) => ({
      ...{ ...rest, field },
      asked: asked.map((value) => text(field, value)),
      found: found.map((value) => text(field, value)),
    })),
  )
}
