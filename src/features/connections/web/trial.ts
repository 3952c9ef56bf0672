/** Result of a test, with its time and duration in ms. */
export type Trial = { readonly ok: boolean; readonly text: string; readonly at: number; readonly ms: number }

/** Runs a test and returns its result with its time and duration. */
export async function timed(ask: () => Promise<{ ok: boolean; text: string }>): Promise<Trial> {
  const at = Date.now()
  const found = await ask()
  return { ...found, at, ms: Date.now() - at }
}
