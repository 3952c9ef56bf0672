/** Value that a condition can compare. */
export type Scalar = string | number | boolean | null

/** Facts of one row: a scalar or a set of scalars per field name. */
export type Facts = { readonly [field: string]: Scalar | readonly Scalar[] }

/** Condition on one field: a scalar field is one of `in`; a set field shares a member with `overlaps`, or is empty. */
export type Leaf<F extends Facts> = {
  [K in keyof F & string]: F[K] extends readonly (infer V)[]
    ? { readonly field: K; readonly overlaps: readonly V[] } | { readonly field: K; readonly empty: true }
    : { readonly field: K; readonly in: readonly F[K][] }
}[keyof F & string]

/** Conditions as data: evaluated in memory, or compiled to SQL, with the same two-valued logic (null is a value). */
export type Criteria<F extends Facts> =
  | boolean
  | Leaf<F>
  | { readonly all: readonly Criteria<F>[] }
  | { readonly any: readonly Criteria<F>[] }
  | { readonly not: Criteria<F> }

/** Condition without the type of its facts, as evaluators and compilers read it. */
export type AnyLeaf = {
  readonly field: string
  readonly in?: readonly Scalar[]
  readonly overlaps?: readonly Scalar[]
  readonly empty?: true
}

const isList = (value: Scalar | readonly Scalar[]): value is readonly Scalar[] => Array.isArray(value)

/** Whether the facts satisfy the criteria; a set field is empty when it has no members. */
export function evaluate<F extends Facts>(criteria: Criteria<F>, facts: F): boolean {
  if (typeof criteria === 'boolean') return criteria
  if ('all' in criteria) return criteria.all.every((part) => evaluate(part, facts))
  if ('any' in criteria) return criteria.any.some((part) => evaluate(part, facts))
  if ('not' in criteria) return !evaluate(criteria.not, facts)
  const leaf = criteria as AnyLeaf
  const value = facts[leaf.field] ?? null
  if (leaf.in) return !isList(value) && leaf.in.includes(value)
  const members = isList(value) ? value : []
  return leaf.overlaps ? leaf.overlaps.some((member) => members.includes(member)) : members.length === 0
}

/** Returns criteria that hold if every part does; folds constants and flattens nested `all`s. Without parts: true. */
export function allOf<F extends Facts>(...parts: readonly Criteria<F>[]): Criteria<F> {
  const flat = parts.flatMap((part) => (typeof part === 'object' && 'all' in part ? part.all : [part]))
  if (flat.some(isNever)) return false
  const rest = flat.filter((part) => part !== true)
  return rest.length > 1 ? { all: rest } : (rest[0] ?? true)
}

/** Returns criteria that hold if any part does; folds constants and flattens nested `any`s. Without parts: false. */
export function anyOf<F extends Facts>(...parts: readonly Criteria<F>[]): Criteria<F> {
  const flat = parts.flatMap((part) => (typeof part === 'object' && 'any' in part ? part.any : [part]))
  if (flat.includes(true)) return true
  const rest = flat.filter((part) => !isNever(part))
  return rest.length > 1 ? { any: rest } : (rest[0] ?? false)
}

/** Negates criteria; folds constants and double negations. */
export function not<F extends Facts>(part: Criteria<F>): Criteria<F> {
  if (isNever(part)) return true
  if (part === true) return false
  return typeof part === 'object' && 'not' in part ? part.not : { not: part }
}

function isNever<F extends Facts>(part: Criteria<F>): boolean {
  if (typeof part === 'boolean') return !part
  return ('in' in part && part.in.length === 0) || ('overlaps' in part && part.overlaps.length === 0)
}
