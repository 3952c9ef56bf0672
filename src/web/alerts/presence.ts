const prefix = 'guiche-sign '
/** The presence of a tab that is on screen. */
export const VISIBLE = 'visible'

/** The presence of a tab that records the microphone. */
export const RECORDING = 'recording'

/** The presence of a tab that shows a path to a person who looks at it. */
export const foregroundOf = (path: string): string => `front ${path}`

/** The presence of a tab in which a person has just changed what is at a path. */
export const changedOf = (path: string): string => `changed ${path}`

const own = new Map<string, number>()

/**
 * Tells every tab something about this one (“front /atendimento/7”, “recording”) until the answer is called or the tab
 * is gone: presence is a shared lock. Where there are no locks only this tab knows its own.
 */
export function acquirePresence(name: string): () => void {
  let release = () => {}
  own.set(name, (own.get(name) ?? 0) + 1)
  const released = new Promise<void>((done) => {
    release = done
  }).then(() => void own.set(name, (own.get(name) ?? 1) - 1))
  navigator.locks?.request(prefix + name, { mode: 'shared' }, () => released).catch(() => {}) // the page is leaving
  return release
}

/** The presence of all tabs. */
export async function allPresence(): Promise<ReadonlySet<string>> {
  const here = [...own].filter(([, count]) => count > 0).map(([name]) => name)
  const locks = (await navigator.locks?.query())?.held ?? []
  const elsewhere = locks.flatMap(({ name }) => (name?.startsWith(prefix) ? [name.slice(prefix.length)] : []))
  return new Set([...here, ...elsewhere])
}
