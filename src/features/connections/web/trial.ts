/** What a test found, when, and how long it took. */
export type Trial = { readonly ok: boolean; readonly text: string; readonly at: number; readonly ms: number }

/** Asks for a test and notes when that was and how long it took. */
export async function timed(ask: () => Promise<{ ok: boolean; text: string }>): Promise<Trial> {
  const at = Date.now()
  const found = await ask()
  return { ...found, at, ms: Date.now() - at }
}
