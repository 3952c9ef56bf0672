import { type Candidate, distribute, type WaitingTicket } from '#domain/distribution/distribute.ts'
import { closedLoop, type Measure } from './loop.ts'

const WAITING = 1000
const PEOPLE = 200
const QUEUES = 10

/** Who gets which of 1,000 waiting tickets, of 200 people in ten queues: the decision alone. */
export function measureDistribution(): Promise<Measure> {
  const people = Array.from({ length: PEOPLE }, (_, n): Candidate => {
    const queueIds = [n % QUEUES, (n + 1) % QUEUES, (n + 2) % QUEUES].map((one) => one + 1)
    const known = { id: n + 1, name: `P${n}`, email: '', connectionIds: [], turn: n, absence: null }
    return { ...known, queueIds, open: n % 6, capacity: 10 }
  })
  const waiting = Array.from({ length: WAITING }, (_, n): WaitingTicket => {
    const queueId = (n % QUEUES) + 1
    return { id: n, queueId, connectionId: 1, owners: [], since: n, queueSince: n, visited: [queueId] }
  })
  const rule = { mode: 'B', overflowQueueId: null, overflowMinutes: null } as const
  const queues = new Map(Array.from({ length: QUEUES }, (_, n) => [n + 1, rule]))
  return closedLoop(1, async () => {
    distribute(waiting, people, { queues, noQueue: 'N', now: 10_000, seed: 1 })
  })
}
