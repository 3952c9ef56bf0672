const prefix = 'guiche-sign '
/** Presence of a tab that is on screen. */
export const VISIBLE = 'visible'

/** Presence of a tab that records the microphone. */
export const RECORDING = 'recording'

/** Returns the presence of a tab whose user looks at a path. */
export const foregroundOf = (path: string): string => `front ${path}`

/** Returns the presence of a tab whose user has just changed the content at a path. */
export const changedOf = (path: string): string => `changed ${path}`

const own = new Map<string, number>()

/**
 * Publishes a presence of this tab (“front /atendimento/7”, “recording”) to every tab until the returned function is called
 * or the tab closes: a presence is a shared lock. Without locks only this tab knows its own.
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

/** Returns the presences of all tabs. */
export async function allPresence(): Promise<ReadonlySet<string>> {
  const here = [...own].filter(([, count]) => count > 0).map(([name]) => name)
  const locks = (await navigator.locks?.query())?.held ?? []
  const elsewhere = locks.flatMap(({ name }) => (name?.startsWith(prefix) ? [name.slice(prefix.length)] : []))
  return new Set([...here, ...elsewhere])
}
