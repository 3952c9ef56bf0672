import { t } from '../../t.ts'
/** Result of a rule: true, false, or a sentence on what is wrong; may be asynchronous. */
export type Verdict = boolean | string
/** Rule that a field's value has to meet. */
export type Rule<V> = (value: V) => Verdict | PromiseLike<Verdict>
/** Rules of a form's fields, in the order of evaluation. */
export type Rules<V> = { readonly [K in keyof V]?: readonly Rule<V[K]>[] }

/** Error of a field whose rule has no message of its own. */
export const INVALID = t('Confira este campo: o valor não é válido.')

/**
 * Returns the error of a value: the first rule, in order, that does not return true; null if all do. Asynchronous rules are
 * awaited; a rule that throws is logged and counts as broken.
 */
export async function checkField<V>(
  rules: readonly Rule<V>[],
  value: V,
  log: (error: unknown) => void = console.error,
): Promise<string | null> {
  for (const rule of rules) {
    const verdict = await ask(rule, value, log)
    if (verdict !== true) return verdict || INVALID
  }
  return null
}

async function ask<V>(rule: Rule<V>, value: V, log: (error: unknown) => void): Promise<Verdict> {
  try {
    return await rule(value)
  } catch (error) {
    log(error)
    return false
  }
}

/**
 * Runs the rules of a form's fields and passes each result to `onResult`, unless the field was checked again or reset
 * meanwhile: the last call wins. `check` returns whether the field's given value may be sent.
 */
export function fieldChecker<V>(rules: Rules<V>, onResult: (key: keyof V, error: string | null) => void) {
  const turns = new Map<keyof V, number>()
  const forget = (key: keyof V) => {
    const turn = (turns.get(key) ?? 0) + 1
    turns.set(key, turn)
    return turn
  }
  const check = async <K extends keyof V>(key: K, value: V[K]): Promise<boolean> => {
    const turn = forget(key)
    const error = await checkField(rules[key] ?? [], value)
    if (turns.get(key) !== turn) return false
    onResult(key, error)
    return error === null
  }
  return { check, forget }
}
