import { itemAt } from '../present.ts'
import type { FlowDocument } from './document.ts'
import { changeItems, itemsOf, stepsIn } from './edit.ts'
import { type JsonObject, textOf, textsOf } from './json.ts'
import { offeredBy, optionsWithoutCondition, partsOf } from './parts.ts'
import { readCondition } from './read.ts'

/** Creates the condition for an option, with an id of its own. */
type ConditionFor = (option: string) => JsonObject

/**
 * Updates a step's conditions after its options changed: a renamed option keeps its condition, a new one gets one, and
 * conditions of removed options without destination are deleted.
 */
export function withOptionConditions(
  before: FlowDocument,
  after: FlowDocument,
  stepId: string,
  conditionFor: ConditionFor,
): FlowDocument {
  const stepOf = (document: FlowDocument) => stepsIn(document).find(({ id }) => textOf(id) === stepId)
  const [oldStep, newStep] = [stepOf(before), stepOf(after)]
  if (!oldStep || !newStep) return after
  const [old, now] = [offeredBy(partsOf(oldStep)), offeredBy(partsOf(newStep))]
  if (old.join('\n') === now.join('\n')) return after
  const renamed = new Map(
    old.length === now.length ? old.flatMap((one, at) => (now.includes(one) ? [] : [[one, itemAt(now, at)]])) : [],
  )
  const gone = new Set(old.filter((one) => !now.includes(one) && !renamed.has(one)))
  const remaining = itemsOf(newStep, 'conditions')
    .filter(
      (one) => !leadsNowhere(one) || valuesOf(one).length === 0 || !valuesOf(one).every((value) => gone.has(value)),
    )
    .map((one) => {
      const values = valuesOf(one)
      return values.some((value) => renamed.has(value))
        ? { ...one, condition: values.map((value) => renamed.get(value) ?? value) }
        : one
    })
  const free = optionsWithoutCondition({ ...partsOf(newStep), conditions: remaining.map(readCondition) })
  const isNew = (one: string) => !old.includes(one) && ![...renamed.values()].includes(one)
  const added = free.filter(isNew)
  return changeItems(after, stepId, 'conditions', () => withConditionsOf(added, remaining, conditionFor))
}

/** Inserts a condition for each option, before the one that accepts any answer. */
export function withConditionsOf(
  options: readonly string[],
  conditions: readonly JsonObject[],
  conditionFor: ConditionFor,
): readonly JsonObject[] {
  const any = conditions.findIndex((one) => readCondition(one).test.of === 'any')
  return conditions.toSpliced(any === -1 ? conditions.length : any, 0, ...options.map(conditionFor))
}

const valuesOf = (condition: JsonObject): readonly string[] =>
  readCondition(condition).test.of === 'answer' ? textsOf(condition['condition']) : []

const leadsNowhere = ({ action, nextStepId }: JsonObject): boolean => Number(action) === 0 && textOf(nextStepId) === ''
