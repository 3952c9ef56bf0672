import { sentence } from './api.ts'
import { notify } from './ui/feedback/notify.tsx'

/** Runs a user's action; shows the toast `done` after it, or the server's sentence if it is refused. */
export async function attempt<T>(work: () => Promise<T>, done?: string): Promise<T | undefined> {
  try {
    const result = await work()
    if (done) notify({ tone: 'pos', title: done })
    return result
  } catch (error) {
    notify({ tone: 'neg', title: sentence(error) })
    return undefined
  }
}
