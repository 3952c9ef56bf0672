import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { changesBetween, withRemoved } from '#domain/flow/compare.ts'
import type { FlowDocument } from '#domain/flow/document.ts'
import { query } from '#web/client.ts'
import { flows } from '../../addresses.ts'
import { changeMarks, changeTexts } from './change-texts.ts'
import type { Names } from './names.ts'

/** Compared documents: a version, and a later one or the draft (null). */
export type Compared = { readonly before: number; readonly after: number | null }

const useVersion = (id: number, version: number | null) => {
  const asked = query(flows.version, { params: { id, version: version ?? 0 } })
  return useQuery({ ...asked, enabled: version !== null, staleTime: Number.POSITIVE_INFINITY })
}

/** State of comparing versions of a flow with each other or with its draft. */
export function useComparison(id: number, draft: FlowDocument, names: Names) {
  const [compared, compare] = useState<Compared | null>(null)
  const before = useVersion(id, compared?.before ?? null)
  const after = useVersion(id, compared?.after ?? null)
  const old = before.data?.flow
  const now = compared?.after === null ? draft : after.data?.flow
  const result = useMemo(() => {
    if (!compared || !old || !now) return null
    const change = changesBetween(old, now)
    return {
      ...{ texts: changeTexts(change, names, now), marks: changeMarks(change) },
      /** Displayed document: the later one, with the removed steps. */
      document: withRemoved(now, change),
    }
  }, [compared, old, now, names])
  return { compared, compare, result, error: before.error ?? after.error }
}

/** Comparison with its differences. */
export type Comparison = ReturnType<typeof useComparison>
