import { sentence } from './api.ts'
import { notify } from './ui/feedback/notify.tsx'

/** Does what a person asked for; `done` is told after it, a refusal in the server's own words. */
export async function attempt(work: () => Promise<unknown>, done?: string): Promise<void> {
  try {
    await work()
    if (done) notify({ tone: 'pos', title: done })
  } catch (error) {
    notify({ tone: 'neg', title: sentence(error) })
  }
}
