import pg from 'pg'

/** A kind of condition that names the tenant: by a value, by the function of the database, or between two tables. */
export type Condition = 'value' | 'function' | 'join'

const condition = /((?:"?\w+"?\.)?"?tenant_id"?)\s*=\s*(app\.tenant\(\)|\$\d+|(?:"?\w+"?\.)?"?tenant_id"?)/g

const kindOf = (right: string): Condition =>
  right.startsWith('$') ? 'value' : right.startsWith('app.') ? 'function' : 'join'

/** The statement without its conditions of these kinds; a value stays used, because the caller sends it. */
export const stripped = (text: string, kinds: readonly Condition[]): string =>
  text.replace(condition, (whole, _, right: string) => {
    if (!kinds.includes(kindOf(right))) return whole
    return right.startsWith('$') ? `(${right}::bigint is null or true)` : 'true'
  })

type Statement = { text?: string; name?: string }

/**
 * Runs `work` while the application's statements lose their tenant conditions; returns the number of distinct statements
 * changed. Platform statements are unchanged, since their conditions are their only protection.
 */
export async function withoutConditions(kinds: readonly Condition[], work: () => Promise<void>): Promise<number> {
  const seen = new Set<string>()
  const { query } = pg.Client.prototype
  const mutilated = function (this: pg.Client & { user?: string }, given: unknown, ...rest: unknown[]) {
    const text = typeof given === 'string' ? given : (given as Statement | null)?.text
    const isOfApplication = this.user?.endsWith('_app') && typeof text === 'string'
    const changed = isOfApplication ? stripped(text, kinds) : text
    if (changed === undefined || changed === text) return Reflect.apply(query, this, [given, ...rest])
    seen.add(text!)
    // Prepared under another name, or the whole statement would be found there.
    const next = typeof given === 'string' ? changed : { ...(given as Statement), text: changed, name: undefined }
    return Reflect.apply(query, this, [next, ...rest])
  }
  pg.Client.prototype.query = mutilated
  try {
    await work()
  } finally {
    pg.Client.prototype.query = query
  }
  return seen.size
}
