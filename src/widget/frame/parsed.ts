/** What a JSON says; null where it is none. */
export function parsed(json: string | null | undefined): unknown {
  try {
    return JSON.parse(json ?? '')
  } catch {
    return null
  }
}
