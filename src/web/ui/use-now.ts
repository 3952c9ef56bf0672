import { createStore } from '../store.ts'

const stepMs = 15_000

const now = createStore(Date.now(), (set) => {
  const timer = setInterval(() => set(Date.now()), stepMs)
  return () => clearInterval(timer)
})

/** Returns the current time (epoch ms), shared by the whole page and renewed every 15 s; for rings and waiting times. */
export const useNow = (): number => now.use()
