import { allOf, anyOf, type Criteria, type Leaf, not, type Scalar } from '../criteria.ts'
import { firstOf, itemAt } from '../present.ts'
import type { TicketFacts, TicketStatus } from './facts.ts'

/** Common property of a set of tickets: an agent or a queue (null is none), a user named on a group, or being a group. */
export type StartingPoint =
  | { readonly field: 'userId' | 'queueId'; readonly value: number | null }
  | { readonly field: 'groupUserIds'; readonly value: number }
  | { readonly field: 'isGroup'; readonly value: true }

type Where = Criteria<TicketFacts>
type Points = readonly StartingPoint[]

const STATUSES: readonly TicketStatus[] = ['open', 'pending', 'closed']

/** Returns properties to start an index scan from: every matching ticket has at least one; null: unrestricted. */
export function startingPoints(criteria: Where): Points | null {
  const may = (value: boolean) => maySatisfy(criteria, { field: 'isGroup', value }, false)
  // If all matching tickets are groups, points of other tickets are useless.
  if (!may(false)) return may(true) ? (pointsOf(ofGroups(criteria), false) ?? [{ field: 'isGroup', value: true }]) : []
  const points = pointsOf(criteria, false)
  if (points === null || may(true)) return points
  return points.filter(({ field }) => field === 'userId' || field === 'queueId')
}

/** Reduces criteria to what remains to be tested for groups. */
function ofGroups(criteria: Where): Where {
  if (typeof criteria === 'boolean') return criteria
  if ('not' in criteria) return not(ofGroups(criteria.not))
  if ('all' in criteria) return allOf(...criteria.all.map(ofGroups))
  if ('any' in criteria) return anyOf(...criteria.any.map(ofGroups))
  return criteria.field === 'isGroup' ? criteria.in.includes(true) : criteria
}

/** Returns the statuses that matching tickets may have. */
export const possibleStatuses = (criteria: Where): readonly TicketStatus[] =>
  STATUSES.filter((value) => maySatisfy(criteria, { field: 'status', value }, false))

function pointsOf(criteria: Where, negated: boolean): Points | null {
  if (typeof criteria === 'boolean') return criteria === negated ? [] : null
  if ('not' in criteria) return pointsOf(criteria.not, !negated)
  if ('all' in criteria) return (negated ? together : fewest)(criteria.all.map((part) => pointsOf(part, negated)))
  if ('any' in criteria) return (negated ? fewest : together)(criteria.any.map((part) => pointsOf(part, negated)))
  return pointsOfLeaf(criteria, negated)
}

function pointsOfLeaf(leaf: Leaf<TicketFacts>, negated: boolean): Points | null {
  if (leaf.field === 'isGroup') return leaf.in.includes(false) === negated ? [{ field: leaf.field, value: true }] : null
  if (negated) return null
  if ('in' in leaf && leaf.in.length === 0) return []
  if (leaf.field === 'userId' || leaf.field === 'queueId') return leaf.in.map((value) => ({ field: leaf.field, value }))
  return leaf.field === 'groupUserIds' && 'overlaps' in leaf
    ? leaf.overlaps.map((value) => ({ field: leaf.field, value }))
    : null
}

/** Unites the points of alternatives; null if one is unrestricted. */
function together(parts: readonly (Points | null)[]): Points | null {
  const all = new Map<string, StartingPoint>()
  for (const part of parts) {
    if (!part) return null
    for (const point of part) all.set(`${point.field} ${point.value}`, point)
  }
  return [...all.values()]
}

/** Chooses the most selective of several sufficient sets of points; null if all are unrestricted. */
function fewest(parts: readonly (Points | null)[]): Points | null {
  const known = parts.filter((part) => part !== null)
  const sizes = known.map((part) => [Math.max(0, ...part.map(sizeOf)), part.length] as const)
  const order = known
    .map((_, n) => n)
    .sort((a, b) => itemAt(sizes, a)[0] - itemAt(sizes, b)[0] || itemAt(sizes, a)[1] - itemAt(sizes, b)[1])
  return order.length > 0 ? itemAt(known, firstOf(order)) : null
}

/** Returns a rank of the estimated size: an agent has fewer tickets than a queue, a queue fewer than the unassigned. */
function sizeOf({ field, value }: StartingPoint): number {
  if (field === 'isGroup') return 3
  if (value === null) return field === 'queueId' ? 4 : 5
  return field === 'queueId' ? 2 : 1
}

/** Whether tickets with this known value may satisfy the criteria. */
function maySatisfy(criteria: Where, known: { field: 'status' | 'isGroup'; value: Scalar }, negated: boolean): boolean {
  if (typeof criteria === 'boolean') return criteria !== negated
  if ('not' in criteria) return maySatisfy(criteria.not, known, !negated)
  const may = (part: Where) => maySatisfy(part, known, negated)
  if ('all' in criteria) return negated ? criteria.all.some(may) : criteria.all.every(may)
  if ('any' in criteria) return negated ? criteria.any.every(may) : criteria.any.some(may)
  if (criteria.field !== known.field) return true
  const values: readonly Scalar[] = 'in' in criteria ? criteria.in : []
  return values.includes(known.value) !== negated
}
