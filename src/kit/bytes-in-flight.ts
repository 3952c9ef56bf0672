/** Maximum number of bytes held at once: in total, and per key where the key is known. */
type Bounds = { readonly most: number; readonly mostOfOne: number }

/** Bytes held by one piece of work; `free` releases all of them. */
export type Holding = { take(bytes: number): boolean; free(): void }

/** Counts the bytes that unfinished work holds. Takes beyond a bound are refused; without a key only `most` applies. */
export function bytesInFlight({ most, mostOfOne }: Bounds) {
  let all = 0
  const byKey = new Map<string, number>()
  const add = (key: string | null, bytes: number): void => {
    all += bytes
    if (key === null) return
    const now = (byKey.get(key) ?? 0) + bytes
    if (now > 0) byKey.set(key, now)
    else byKey.delete(key)
  }
  return {
    all: (): number => all,
    open(key: string | null): Holding {
      let mine = 0
      return {
        take(bytes) {
          const ofOne = key === null ? 0 : (byKey.get(key) ?? 0) + bytes
          if (all + bytes > most || ofOne > mostOfOne) return false
          mine += bytes
          add(key, bytes)
          return true
        },
        free() {
          add(key, -mine)
          mine = 0
        },
      }
    },
  }
}
