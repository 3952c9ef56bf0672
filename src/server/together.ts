/**
 * Asks once for all who ask the same at the same moment. Whoever comes while it is being asked waits, together with all who
 * do, for the next answer: the one under way may be older than what makes them ask. Nothing is kept.
 */
export function together<T>(ask: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const asked = new Map<string, Promise<T>>()
  const behind = new Map<string, Promise<T>>()
  return (key) => {
    const begin = () => {
      behind.delete(key)
      const answer = ask(key).finally(() => asked.delete(key))
      asked.set(key, answer)
      return answer
    }
    const before = asked.get(key)
    if (!before) return behind.get(key) ?? begin()
    const next = behind.get(key) ?? before.then(begin, begin)
    behind.set(key, next)
    return next
  }
}
