import '../zod/now.ts'
import { useCallback, useMemo, useState } from 'react'
import { fieldChecker, type Rules } from './rules.ts'

/** What a schema of a contract can do for a form: check and tell problems by path. */
type Checker = { safeParse: (value: unknown) => { success: boolean; error?: { issues: readonly Issue[] } } }
type Issue = { path: readonly PropertyKey[]; message: string }

/** Error sentences by field name. */
export type FieldErrors = Record<string, string>

function problems(schema: Checker | undefined, values: unknown): FieldErrors {
  const found: FieldErrors = {}
  for (const { path, message } of schema?.safeParse(values).error?.issues ?? [])
    found[String(path[0] ?? '')] ??= message
  return found
}

/** State of a form: values, errors by field, and how many fields differ from the start. */
type Form<V> = {
  values: V
  errors: FieldErrors
  changed: string[]
  set: <K extends keyof V>(key: K, value: V[K]) => void
  reset: (next: V) => void
  setErrors: (errors: FieldErrors) => void
}

/**
 * A form whose `check()` runs the contract's own schema and returns whether it may be sent; errors leave a field as soon
 * as it changes.
 */
export function useForm<V extends Record<string, unknown>>(
  start: V,
  schema?: Checker,
): Form<V> & { check: () => boolean }
/**
 * The same with rules of its fields beside the schema: `check()` asks them too and has to be awaited, `leave(key)` asks
 * those of one field when the person leaves it.
 */
export function useForm<V extends Record<string, unknown>>(
  start: V,
  schema: Checker | undefined,
  rules: Rules<V>,
): Form<V> & { check: () => Promise<boolean>; leave: (key: keyof V) => void }
export function useForm<V extends Record<string, unknown>>(
  start: V,
  schema?: Checker,
  rules?: Rules<V>,
): Form<V> & { check: () => boolean | Promise<boolean>; leave?: (key: keyof V) => void } {
  const [first, setFirst] = useState(start)
  const [values, setValues] = useState(start)
  const [errors, setErrors] = useState<FieldErrors>({})
  const mark = useCallback(
    (key: keyof V, error: string | null) =>
      setErrors(({ [key as string]: _, ...others }) => (error ? { ...others, [key]: error } : others)),
    [],
  )
  const [checker] = useState(() => fieldChecker(rules ?? {}, mark))
  const changed = useMemo(
    () => Object.keys(values).filter((key) => JSON.stringify(values[key]) !== JSON.stringify(first[key])),
    [values, first],
  )
  const set = useCallback(
    <K extends keyof V>(key: K, value: V[K]) => {
      setValues((now) => ({ ...now, [key]: value }))
      checker.forget(key)
      mark(key, null)
    },
    [checker, mark],
  )
  const reset = useCallback((next: V) => {
    setFirst(next)
    setValues(next)
    setErrors({})
  }, [])
  const bySchema = () => {
    const found = problems(schema, values)
    setErrors(found)
    return found
  }
  const check = () => Object.keys(bySchema()).length === 0
  const checkAll = async () => {
    const found = bySchema()
    const asked = Object.keys(rules ?? {}).filter((key) => !found[key])
    const answers = await Promise.all(asked.map((key) => checker.check(key, values[key] as V[string])))
    return Object.keys(found).length === 0 && answers.every(Boolean)
  }
  const leave = (key: keyof V) => void checker.check(key, values[key])
  return { values, errors, changed, set, reset, setErrors, leave, check: rules ? checkAll : check }
}
