import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { t } from '#web/t.ts'
import { type Url, useUrlState } from '#web/url-state.ts'
import { namedReports, reports } from '../addresses.ts'
import { type Asked, askedBy, FILTER_NAMES, useAsked } from './asked.ts'

type Names = Readonly<Record<string, string | number | undefined>>

/** URL parameters of contact report filters. */
export const CONTACT_FILTER_NAMES = ['de', 'ate', 'anuncio', 'etiquetas', 'ddds', 'etapas', 'carteiras'] as const
const ALL_NAMES = [...FILTER_NAMES, ...CONTACT_FILTER_NAMES]

const Chosen = createContext<{ names: Names; choose: (names: Names) => void } | null>(null)

/** Provider that holds a report's filter changes until “Gerar” writes them to the URL. */
export function ChosenFilters({ children }: { children: ReactNode }) {
  const [url] = useUrlState()
  // Pending changes are dropped when the URL changes.
  const at = JSON.stringify(ALL_NAMES.map((name) => url[name]))
  const [saved, setSaved] = useState<{ at: string; names: Names }>({ at, names: {} })
  const value = useMemo(() => {
    const names = saved.at === at ? saved.names : {}
    return { names, choose: (more: Names) => setSaved({ at, names: { ...names, ...more } }) }
  }, [saved, at])
  return <Chosen value={value}>{children}</Chosen>
}

/** Returns the filters and their setter: pending ones of `ChosenFilters`, or those of the URL on other screens. */
export function useFilters(): { url: Url; setUrl: (names: Names) => void; asked: Asked } {
  const { url, setUrl, asked } = useAsked()
  const chosen = useContext(Chosen)
  if (!chosen) return { url, setUrl, asked }
  const shown = { ...url, ...textsOf(chosen.names) }
  return { url: shown, setUrl: chosen.choose, asked: askedBy(shown) }
}

/** “Gerar”: applies the pending filters; without changes, reloads the report. */
export function Generate() {
  const { url, setUrl } = useAsked()
  const client = useQueryClient()
  const chosen = useContext(Chosen)
  if (!chosen) return null
  const isOther = Object.entries(textsOf(chosen.names)).some(([name, value]) => value !== url[name])
  const generate = () => {
    if (isOther) return setUrl(chosen.names)
    for (const { family } of [namedReports.tickets, reports.rows]) void client.invalidateQueries({ queryKey: [family] })
  }
  return (
    <Button variant={isOther ? 'filled' : 'default'} onClick={generate}>
      {t('Gerar')}
    </Button>
  )
}

// Converts to URL form, without empty values.
const textsOf = (names: Names): Url =>
  Object.fromEntries(
    Object.entries(names).map(([name, value]) => [name, value === undefined || value === '' ? undefined : `${value}`]),
  )
