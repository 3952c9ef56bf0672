import type { z } from 'zod'
import type { Platform } from './platform.ts'

/** Try of a job. */
export type JobRun = {
  /** Throws when this worker has lost its jobs (it was frozen, or cut off): another one works on them by now. */
  requireOwnership(): void
  /**
   * Permits other work of this process beside this try. A job that was running when a process died is tried alone, so a job
   * that waits for other work (ingest, another job) calls this before it waits; repeated calls do nothing.
   */
  joinOthers?(): void
}

/** Kind of a job: schema of its payload, and its handler, which also receives the tenant's id (decision B17). */
export type Job<S extends z.ZodObject = z.ZodObject> = {
  /** Name in the queue; never changes, because jobs may wait across an upgrade. */
  readonly name: string
  readonly schema: S
  /**
   * Repeatable: a process may die in the middle of it. What cannot be taken back asks `requireOwnership` right before. A
   * throw is tried again after 5 s · 4ⁿ with jitter, five times in all; then the job stays, visibly failed. An
   * infrastructure error is tried again after 5 s and not counted.
   */
  run(platform: Platform, payload: z.output<S> & { tenantId: number }, run: JobRun): Promise<void>
}

/** Defines a kind of job; a feature lists it under `jobs`, and `ctx.enqueue(it, payload)` records one. */
export const job = <S extends z.ZodObject>(definition: Job<S>): Job<S> => definition
