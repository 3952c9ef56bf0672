import { useEffect, useState } from 'react'
import { screens } from '../features.tsx'
import { mayEnter, type Screen } from './screens.ts'

/** Setting that the user may change, and its screen. */
export type Found = { readonly label: string; readonly keywords: string; readonly id?: string; readonly screen: Screen }

const loaded = new Map<Screen, readonly Found[]>()

async function load(screen: Screen): Promise<void> {
  if (loaded.has(screen) || !screen.finds) return
  const findings = await screen.finds()
  loaded.set(
    screen,
    findings.map(({ keywords = '', ...rest }) => ({ ...rest, keywords, screen })),
  )
}

/** Returns the settings on the screens that the user may enter; loaded once `isWanted`. */
export function useFindings(isWanted: boolean): readonly Found[] {
  const [found, setFound] = useState<readonly Found[]>([])
  useEffect(() => {
    if (!isWanted) return
    let isGone = false
    const open = screens.filter((screen) => mayEnter(screen))
    void Promise.allSettled(open.map(load)).then(() => {
      if (!isGone) setFound(open.flatMap((screen) => loaded.get(screen) ?? []))
    })
    return () => {
      isGone = true
    }
  }, [isWanted])
  return found
}
