import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { notify } from '../feedback/notify.tsx'
import type { Rules } from '../inputs/rules.ts'
import { type Checker, type Unique, useForm } from '../inputs/use-form.ts'
import { useOpening } from './use-opening.ts'

/**
 * Form of a `FormDrawer`, which takes `drawer`. Filled once with `stored` (undefined while loading, null for a new row):
 * later changes of others do not overwrite the draft. `save` sends a valid form, shows the returned text in a toast, and
 * closes; refusals are shown at their fields.
 */
export function useDrawerForm<V extends Record<string, unknown>>(
  empty: V,
  {
    stored,
    reading,
    checker,
    rules = {},
    unique,
    onWrong,
    onClose,
  }: {
    stored: V | null | undefined
    reading?: { error: Error | null; refetch: () => unknown }
    checker: Checker<V>
    rules?: Rules<V>
    unique?: Unique
    onWrong?: (fields: readonly string[]) => void
    onClose: () => void
  },
) {
  const form = useForm<V>(stored ?? empty, checker, rules, onWrong)
  const [isReady, setReady] = useState(stored !== undefined)
  const [busy, setBusy] = useState(false)
  const { opened, close } = useOpening(onClose)
  const { reset } = form
  useEffect(() => {
    if (isReady || !stored) return
    reset(stored)
    setReady(true)
  }, [isReady, stored, reset])
  const save = async (send: () => Promise<string>) => {
    setBusy(true)
    try {
      if (!(await form.check())) return
      notify({ tone: 'pos', title: await send() })
      // Closing may leave the screen at once, which asks while the form counts as changed.
      flushSync(() => reset(form.values))
      close()
    } catch (error) {
      form.refuse(error, unique)
    } finally {
      setBusy(false)
    }
  }
  const drawer = {
    opened,
    onClose: close,
    changed: isReady ? form.changed.length : 0,
    busy,
    isReady,
    error: reading?.error,
    retry: () => void reading?.refetch(),
  }
  return { ...form, drawer, save }
}
