import type { ChildProcess } from 'node:child_process'
import type { Operation } from '#kit/contract.ts'
import type { TenantSettings } from '#kit/settings.ts'
import type { Actor } from './actors.ts'
import type { Turns } from './alone.ts'
import type { AsyncCache } from './cache.ts'
import type { Database } from './db/db.ts'
import type { Installation } from './db/installation.ts'
import type { Env } from './env.ts'
import type { Health } from './health.ts'
import type { Answers } from './http/answers.ts'
import type { RateLimits } from './http/rate-limits.ts'
import type { Log } from './log.ts'
import type { Bus } from './realtime/bus.ts'
import type { Secrets } from './secrets.ts'
import type { Storage } from './storage.ts'

/** Parts of the server; passed as an argument, there is no global. */
export type Platform = {
  readonly env: Env
  readonly log: Log
  readonly version: string
  readonly secrets: Secrets
  readonly db: Database
  readonly bus: Bus
  readonly storage: Storage
  /** Health of this process. */
  readonly health: Health
  readonly limits: RateLimits
  readonly answers: Answers
  /** Users as the rules see them, by `tenant:id`; null when gone or inactive. */
  readonly actors: AsyncCache<Actor | null>
  /** Whether a session (`tenant:id`) was ended before its time. */
  readonly revokedSessions: AsyncCache<boolean>
  /** Cache of settings by tenant. */
  readonly settings: AsyncCache<TenantSettings>
  /** Settings of the whole installation, under the key `all`. */
  readonly installation: AsyncCache<Installation>
  /** Operations that the server offers. */
  readonly operations: readonly Operation[]
  /** Scheduler of work: beside other work, or alone. */
  readonly turns: Turns
  readonly now: () => Date
  /** Points in the code where a test may stop the process; does nothing in production. */
  readonly checkpoint: (name: string) => void | Promise<void>
  /** Starts another process that keeps connections to channels open, in this one's place. */
  readonly startHost?: () => ChildProcess
}
