import { useEffect, useState } from 'react'
import type { Command } from '../ui/layout/command.ts'

/** Hit of the palette: opens `path`. */
export type Hit = Pick<Command, 'id' | 'label' | 'icon'> & { sub?: string; path: string }

type Search = (text: string, signal: AbortSignal) => Promise<readonly Hit[]>

const searches = new Set<Search>()

/**
 * Registers a feature's search in the palette; called from two letters on, at most five hits are shown. Returns an
 * unregister function.
 */
export function addSearch(search: Search): () => void {
  searches.add(search)
  return () => searches.delete(search)
}

/** Returns the features' hits for a text, debounced by 150 ms; hits of an older text never replace newer ones. */
export function useSearchHits(text: string): readonly Hit[] {
  const [hits, setHits] = useState<readonly Hit[]>([])
  useEffect(() => {
    if (text.trim().length < 2) {
      setHits([])
      return
    }
    const stop = new AbortController()
    const timer = setTimeout(async () => {
      const found = await Promise.allSettled([...searches].map((search) => search(text.trim(), stop.signal)))
      if (!stop.signal.aborted) {
        setHits(found.flatMap((one) => (one.status === 'fulfilled' ? one.value.slice(0, 5) : [])))
      }
    }, 150)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [text])
  return hits
}
