/** Parses JSON; null for anything else. */
export function parsed(json: string | null | undefined): unknown {
  try {
    return JSON.parse(json ?? '')
  } catch {
    return null
  }
}
