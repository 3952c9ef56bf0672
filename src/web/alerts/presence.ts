const prefix = 'guiche-sign '
/** The sign of a tab that is on screen. */
export const VISIBLE = 'visible'

/** The sign of a tab that records the microphone. */
export const RECORDING = 'recording'

/** The sign of a tab that shows a path to a person who looks at it. */
export const foregroundOf = (path: string): string => `front ${path}`

/** The sign of a tab in which a person has just changed what is at a path. */
export const changedOf = (path: string): string => `changed ${path}`

const own = new Map<string, number>()

/**
 * Tells every tab something about this one (“front /atendimento/7”, “recording”) until the answer is called or the tab
 * is gone: a sign is a shared lock. Where there are no locks only this tab knows its signs.
 */
export function acquirePresence(sign: string): () => void {
  let drop = () => {}
  own.set(sign, (own.get(sign) ?? 0) + 1)
  const held = new Promise<void>((done) => {
    drop = done
  }).then(() => void own.set(sign, (own.get(sign) ?? 1) - 1))
  navigator.locks?.request(prefix + sign, { mode: 'shared' }, () => held).catch(() => {}) // the page is leaving
  return drop
}

/** The signs of all tabs. */
export async function allPresence(): Promise<ReadonlySet<string>> {
  const here = [...own].filter(([, count]) => count > 0).map(([sign]) => sign)
  const held = (await navigator.locks?.query())?.held ?? []
  const told = held.flatMap(({ name }) => (name?.startsWith(prefix) ? [name.slice(prefix.length)] : []))
  return new Set([...here, ...told])
}
