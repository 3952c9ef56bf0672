import { sentence } from './api.ts'
import { notify } from './ui/feedback/notify.tsx'

/** Does what a person asked for; `done` is told after it, a refusal in the server's own words. */
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
