import { useCallback, useMemo, useState } from 'react'
import { isApiError, sentence } from '../../api.ts'
import { notify } from '../feedback/notify.tsx'
import { fieldChecker, type Rules } from './rules.ts'

/** Checks the values of a form as a schema does: problems come with their paths. */
export type Checker<V> = { safeParse: (value: V) => { success: boolean; error?: { issues: readonly Issue[] } } }
type Issue = { path: readonly PropertyKey[]; message: string }

/** Error sentences by field name. */
export type FieldErrors = Record<string, string>

/** Returns the first error for each field of `values`; errors inside of a field, or around it, belong to the field. */
export function errorsByField(issues: readonly Issue[], values: object): FieldErrors {
  const found: FieldErrors = {}
  for (const { path, message } of issues) {
    const field = path.find((part) => part in values)
    if (field !== undefined) found[String(field)] ??= message
  }
  return found
}

/** Converts the server's sentences by path (`look.title`) to issues; other details are ignored. */
const issuesOf = (details: Record<string, unknown>): Issue[] =>
  Object.entries(details).flatMap(([path, message]) =>
    typeof message === 'string' ? [{ path: path.split('.'), message }] : [],
  )

/** Sets one field of a form. */
export type SetField<V> = <K extends keyof V>(key: K, value: V[K]) => void

/** State of a form: values, errors by field, and how many fields differ from the start. */
type Form<V> = {
  values: V
  errors: FieldErrors
  changed: string[]
  set: SetField<V>
  reset: (next: V) => void
  /**
   * Shows a refusal of the server: its sentences at their fields, a conflict (409) at the field that has to be `unique`,
   * anything else in a toast.
   */
  refuse: (error: unknown, unique?: Unique) => void
}

/** Values, errors and setter of a form, for a part that shows some of its fields. */
export type FormFields<V> = Pick<Form<V>, 'values' | 'errors' | 'set'>

/** Unique field of a form, and the sentence on a duplicate in place of the error's own. */
export type Unique = readonly [field: string, sentence?: string]

/**
 * Form whose `check()` runs the contract's own schema and returns whether it may be sent; errors disappear as soon as their
 * field changes. `onWrong` receives the invalid fields after a check or a refusal, so that they can be brought into view.
 */
export function useForm<V extends Record<string, unknown>>(
  start: V,
  schema?: Checker<V>,
): Form<V> & { check: () => boolean }
/**
 * Form with rules of its fields beside the schema: `check()` runs them too and has to be awaited, `leave(key)` runs those of
 * one field when the user leaves it.
 */
export function useForm<V extends Record<string, unknown>>(
  start: V,
  schema: Checker<V> | undefined,
  rules: Rules<V>,
  onWrong?: (fields: readonly string[]) => void,
): Form<V> & { check: () => Promise<boolean>; leave: (key: keyof V) => void }
export function useForm<V extends Record<string, unknown>>(
  start: V,
  schema?: Checker<V>,
  rules?: Rules<V>,
  onWrong: (fields: readonly string[]) => void = () => {},
): Form<V> & { check: () => boolean | Promise<boolean>; leave?: (key: keyof V) => void } {
  const [first, setFirst] = useState(start)
  const [values, setValues] = useState(start)
  const [errors, setErrors] = useState<FieldErrors>({})
  const mark = useCallback(
    (key: keyof V, error: string | null) =>
      setErrors(({ [key]: _, ...others }) => (error ? { ...others, [key]: error } : others)),
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
  const notifyWrong = (wrong: readonly string[]) => {
    if (wrong.length > 0) onWrong(wrong)
    return wrong.length === 0
  }
  const show = (found: FieldErrors) => {
    setErrors(found)
    return notifyWrong(Object.keys(found))
  }
  const bySchema = () => errorsByField(schema?.safeParse(values).error?.issues ?? [], values)
  const check = () => show(bySchema())
  const checkAll = async () => {
    const found = bySchema()
    setErrors(found)
    const asked = Object.keys(rules ?? {}).filter((key) => !found[key])
    const answers = await Promise.all(asked.map((key) => checker.check(key, values[key] as V[string])))
    return notifyWrong([...Object.keys(found), ...asked.filter((_, at) => !answers[at])])
  }
  const refuse = (error: unknown, unique?: Unique) => {
    const found = isApiError(error) ? errorsByField(issuesOf(error.details), values) : {}
    if (Object.keys(found).length > 0) show(found)
    else if (unique && isApiError(error) && error.status === 409) show({ [unique[0]]: unique[1] ?? sentence(error) })
    else notify({ tone: 'neg', title: sentence(error) })
  }
  const leave = (key: keyof V) => void checker.check(key, values[key])
  return { values, errors, changed, set, reset, refuse, leave, check: rules ? checkAll : check }
}
