/** What each phone has voted for in a poll, by the phone's id, out of the message's `data`; nothing where nobody has. */
export function votesOf(data: unknown): Readonly<Record<string, readonly string[]>> {
  const votes = typeof data === 'object' && data !== null && 'votes' in data ? data.votes : null
  return typeof votes === 'object' && votes !== null ? (votes as Record<string, string[]>) : {}
}
