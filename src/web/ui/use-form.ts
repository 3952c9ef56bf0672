import '../zod/now.ts'
import { useCallback, useMemo, useState } from 'react'

/** What a schema of a contract can do for a form: check and tell problems by path. */
type Checker = { safeParse: (value: unknown) => { success: boolean; error?: { issues: readonly Issue[] } } }
type Issue = { path: readonly PropertyKey[]; message: string }

/** Error sentences by field name. */
export type FieldErrors = Record<string, string>

/**
 * State of a form: values, errors by field, and how many fields differ from the start. `check()` runs the contract's own
 * schema and returns whether it may be sent; errors leave a field as soon as it changes.
 */
export function useForm<V extends Record<string, unknown>>(start: V, schema?: Checker) {
  const [first, setFirst] = useState(start)
  const [values, setValues] = useState(start)
  const [errors, setErrors] = useState<FieldErrors>({})
  const changed = useMemo(
    () => Object.keys(values).filter((key) => JSON.stringify(values[key]) !== JSON.stringify(first[key])),
    [values, first],
  )
  const set = useCallback(<K extends keyof V>(key: K, value: V[K]) => {
    setValues((now) => ({ ...now, [key]: value }))
    setErrors(({ [key as string]: _, ...rest }) => rest)
  }, [])
  const reset = useCallback((next: V) => {
    setFirst(next)
    setValues(next)
    setErrors({})
  }, [])
  const check = () => {
    const result = schema?.safeParse(values)
    if (!result || result.success) return true
    const found: FieldErrors = {}
    for (const { path, message } of result.error?.issues ?? []) found[String(path[0] ?? '')] ??= message
    setErrors(found)
    return false
  }
  return { values, errors, changed, set, reset, check, setErrors }
}
