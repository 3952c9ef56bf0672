import type { z } from 'zod'
import type { Platform } from './platform.ts'

/** Attempt at a job. */
export type JobRun = {
  /** Throws when this worker has lost its jobs (it was frozen, or cut off): another worker has them. */
  requireOwnership(): void
  /**
   * Permits other work of this process beside this attempt. A job that was running when a process died is retried alone, so
   * a job that waits for other work (ingest, another job) calls this before it waits; repeated calls do nothing.
   */
  joinOthers?(): void
}

/** Kind of a job: schema of its payload, and its handler, which also receives the tenant's id (decision B17). */
export type Job<S extends z.ZodObject = z.ZodObject> = {
  /** Name in the queue; never changes, because jobs may wait across an upgrade. */
  readonly name: string
  readonly schema: S
  /**
   * Runs the job; it must be repeatable, because a process may die in the middle. Before irreversible effects it calls
   * `requireOwnership`. A throw is retried after 5 s · 4ⁿ with jitter, five attempts in all; then the job stays, visibly
   * failed. An infrastructure error is retried after 5 s and not counted.
   */
  run(platform: Platform, payload: z.output<S> & { tenantId: number }, run: JobRun): Promise<void>
}

/** Defines a kind of job; a feature lists it under `jobs`, and `ctx.enqueue(it, payload)` records one. */
export const job = <S extends z.ZodObject>(definition: Job<S>): Job<S> => definition
