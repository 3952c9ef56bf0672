import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { query } from '#web/client.ts'
import { flows } from '../../addresses.ts'
import { flowStats } from '../../insight-addresses.ts'
import { figuresOf } from './figures.ts'

const dayMs = 86_400_000

/** Loads the statistics of a flow while `isOn`, for a version (null: the published one) and a number of days. */
export function useStats(id: number, isOn: boolean) {
  const [asked, setAsked] = useState<{ version: number | null; days: number; to: number }>({
    version: null,
    days: 30,
    to: Date.now(),
  })
  const { version: named, days, to } = asked
  const period = { from: to - days * dayMs, to, ...(named === null ? {} : { version: named }) }
  const { data, error, refetch } = useQuery({
    ...query(flowStats.get, { params: { id }, query: period }),
    enabled: isOn,
  })
  const version = data?.version ?? null
  const shown = useQuery({
    ...query(flows.version, { params: { id, version: version ?? 0 } }),
    enabled: isOn && version !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const document = isOn && version !== null ? shown.data?.flow : undefined
  const figures = useMemo(() => (isOn && data ? figuresOf(data) : null), [isOn, data])
  const choose = (next: { version?: number; days?: number }) => setAsked({ ...asked, ...next, to: Date.now() })
  const [looked, look] = useState<string | null>(null)
  return { data, error, refetch, days, period, version, choose, document, figures, looked, look }
}

/** State of a flow's statistics. */
export type StatsState = ReturnType<typeof useStats>
