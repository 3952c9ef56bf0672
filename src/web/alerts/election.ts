import { createTopic } from '../store.ts'

const role = 'guiche-alerts'

let isMine = false
let waiting: AbortController | undefined
const elected = createTopic()

/** Whether this tab plays sounds and shows notices (decision B24). */
export const isElected = (): boolean => isMine

/** Subscribes to the election of this tab. */
export const onElected = elected.subscribe

/** Runs for election: the first tab holds the role until it closes or another takes it over. */
export function stand(): void {
  waiting = new AbortController()
  if (navigator.locks) ask({ signal: waiting.signal })
  else win() // plain http outside localhost: every tab speaks for itself
}

/** Takes over the role from its tab: this tab was touched, so it may play sounds. */
export function takeOver(): void {
  if (isMine || !navigator.locks) return
  waiting?.abort()
  ask({ steal: true })
}

function win(): void {
  isMine = true
  elected.publish()
}

function ask(options: LockOptions): void {
  const wait = () => {
    win()
    return new Promise<never>(() => {})
  }
  navigator.locks.request(role, options, wait).catch(() => {
    isMine = false
    if (!options.signal?.aborted) stand() // another tab took over
  })
}
