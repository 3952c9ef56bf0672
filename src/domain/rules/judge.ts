import { allOf, anyOf, type Criteria, evaluate, not } from '../criteria.ts'
import { foldText } from '../flow/fold.ts'
import type { Condition, Decided, DecidingValue, RuleFacts, When } from './rules.ts'

/** Converts a rule's conditions to criteria on the facts. */
function criteriaOf({ match, conditions }: When): Criteria<RuleFacts> {
  const all = conditions.map(leafOf)
  return match === 'any' && all.length > 0 ? anyOf(...all) : allOf(...all)
}

/** Whether a rule acts, and which of its conditions hold, in their order. */
export const judge = (
  when: When,
  facts: RuleFacts,
): { readonly matches: boolean; readonly each: readonly boolean[] } => ({
  matches: evaluate(criteriaOf(when), facts),
  each: when.conditions.map((condition) => evaluate(leafOf(condition), facts)),
})

/** Maximum number of values stored per condition, both requested and found. */
const MOST_VALUES = 5

/** Returns each condition of a rule with the values that decided it, at most `MOST_VALUES` of each. */
export const decidedBy = (conditions: readonly Condition[], facts: RuleFacts): Decided[] =>
  conditions.map((condition) => {
    const { field, is } = condition
    const asked: readonly DecidingValue[] = field === 'isOpen' ? [] : condition.values
    const found = foundFor(field, asked, facts)
    return {
      ...{ field, is, matches: evaluate(leafOf(condition), facts) },
      asked: firstOf(asked, found),
      more: Math.max(0, asked.length - MOST_VALUES),
      found: firstOf(found, asked),
    }
  })

function foundFor(field: Condition['field'], asked: readonly DecidingValue[], facts: RuleFacts) {
  if (field === 'isOpen') return []
  // Phrases of other conditions do not matter here.
  if (field === 'phrases') return facts.phrases.filter((one) => asked.includes(one))
  const fact: DecidingValue | readonly DecidingValue[] = facts[field]
  return Array.isArray(fact) ? fact : [fact]
}

// Requested values that were found come first.
const firstOf = (values: readonly DecidingValue[], others: readonly DecidingValue[]): DecidingValue[] =>
  [...values.filter((one) => others.includes(one)), ...values.filter((one) => !others.includes(one))].slice(
    0,
    MOST_VALUES,
  )

function leafOf(condition: Condition): Criteria<RuleFacts> {
  const leaf = positive(condition)
  return condition.is ? leaf : not(leaf)
}

function positive(condition: Condition): Criteria<RuleFacts> {
  if (condition.field === 'isOpen') return { field: 'isOpen', in: [true] }
  if (condition.field === 'status') return { field: 'status', in: condition.values }
  if (condition.field === 'phrases') return { field: 'phrases', overlaps: condition.values }
  if (condition.field === 'connectionId') return { field: 'connectionId', in: condition.values }
  if (condition.field === 'tagIds') return { field: 'tagIds', overlaps: condition.values }
  if (condition.field === 'walletIds') return { field: 'walletIds', overlaps: condition.values }
  return { field: condition.field, in: condition.values }
}

const folded = (text: string): string =>
  ` ${foldText(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .join(' ')} `

/**
 * Returns the conditions' words (or word sequences) that occur in a text, ignoring case and accents; values without letters
 * match literally.
 */
export function phrasesIn(text: string, conditions: readonly Condition[]): string[] {
  const asked = conditions.flatMap((one) => (one.field === 'phrases' ? one.values : []))
  const [whole, written] = [folded(text), text]
  return [...new Set(asked)].filter((one) =>
    folded(one).trim() === '' ? written.includes(one) : whole.includes(folded(one)),
  )
}
