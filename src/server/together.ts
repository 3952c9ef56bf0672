/**
 * Shares one call of `ask` between concurrent callers of a key. A caller during a running call waits for the next one,
 * because the running one may have started before the change. Nothing is cached.
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
