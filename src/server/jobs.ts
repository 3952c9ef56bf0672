import { EventEmitter } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { Logger, type Job as QueueJob, type Runner, type RunnerOptions, run, type WorkerEvents } from 'graphile-worker'
import pg from 'pg'
import { fieldIn } from '#domain/keys.ts'
import { atWork, refuseLost } from './at-work.ts'
import { isInfrastructure } from './db/faults.ts'
import { isOwner, lockOwner } from './db/ownership.ts'
import { type OpenConnection, persistentConnection } from './db/persistent-connection.ts'
import { inSets } from './in-sets.ts'
import type { Job } from './job.ts'
import {
  completeJobs,
  countAlone,
  hasDied,
  isLastChance,
  postponeJob,
  releaseDeadWorkers,
  returnJob,
  takeBackAlone,
} from './jobs-ownership.ts'
import type { Log } from './log.ts'
import type { Platform } from './platform.ts'

const SWEEP_MS = 5000
/** Number of concurrent jobs: most of them wait for others' answers or for their set (`inSets`), which is full with so many. */
const AT_ONCE = 24

/** Poll interval of each idle worker, in ms; `lookInTurn` polls for all of them. */
const POLL_MS = 60_000
const LOOK_MS = 1000

/**
 * Starts working on the queue, and restarts whenever the connection that owns the jobs is lost; returns a function that
 * stops it (running jobs end first).
 */
export async function startJobs(
  platform: Platform,
  definitions: readonly Job[],
  workerUrl: string,
): Promise<() => Promise<void>> {
  const { log, health } = platform
  const pool = new pg.Pool({
    connectionString: workerUrl,
    max: 10,
    application_name: 'guiche worker',
    // Locks and completions of jobs need not reach the disk at once: jobs that a crashed database forgot run again.
    onConnect: async (client) => void (await client.query('set synchronous_commit = off')),
  })
  const lost = (err: Error) => log.warn({ err }, 'job connection lost')
  pool.on('error', lost)
  pool.on('connect', (client) => client.on('error', lost))
  let runner: Runner | undefined
  let isStopping = false
  const retired = new Set<Promise<void>>()
  const retire = () => {
    if (!runner) return
    // It may have ended by itself, which makes this call fail.
    const ended = runner.stop().catch(() => {})
    retired.add(ended)
    void ended.then(() => retired.delete(ended))
  }
  const sweep = sweeperOf(pool, log)
  await sweep()
  const close = await persistentConnection(workerUrl, 'guiche worker alive', {
    async open(connection) {
      // Only now: the database answers again, so the idle workers can end cleanly.
      retire()
      runner = await startRunner(connection, pool, platform, definitions)
      runner.promise
        .catch((err) => log.warn({ err }, 'job runner ended'))
        .finally(() => isStopping || connection.close())
      health.recover('worker')
    },
    lost: (code) => health.fail('worker', code),
    log,
  })
  const timer = setInterval(sweep, SWEEP_MS)
  return async () => {
    isStopping = true
    clearInterval(timer)
    retire()
    await Promise.all(retired)
    await close()
    // Retires a runner that was being started meanwhile: it would keep its clients, and the pool would wait for them for
    // ever.
    retire()
    await Promise.all(retired)
    await pool.end()
  }
}

/** Returns what releases the jobs of dead workers; a hanging database is asked only once. */
function sweeperOf(pool: pg.Pool, log: Log): () => Promise<void> {
  let sweeping: Promise<void> | undefined
  return async () => {
    sweeping ??= releaseDeadWorkers(pool).then(
      (workers) => {
        if (workers > 0) log.warn({ workers }, 'jobs of a dead worker are taken up again')
      },
      (err) => log.warn({ err }, 'dead workers could not be looked for'),
    )
    await sweeping
    sweeping = undefined
  }
}

/**
 * Polls the queue once a second with one idle worker instead of all: jobs that become due send no notification. Each worker
 * that finds a job in such a poll wakes the next one.
 */
function lookInTurn(events: WorkerEvents, workers: { nudge(amount: number): void }): void {
  let isLooking = false
  let isOver = false
  const look = () => {
    if (!isOver) workers.nudge(1)
  }
  const timer = setInterval(() => {
    isLooking = true
    look()
  }, LOOK_MS)
  events.on('job:start', () => isLooking && look())
  events.on('worker:getJob:empty', () => {
    isLooking = false
  })
  for (const end of ['pool:fatalError', 'pool:gracefulShutdown', 'pool:forcefulShutdown', 'pool:release'] as const)
    events.on(end, () => {
      isOver = true
      clearInterval(timer)
    })
}

/**
 * Starts a runner whose jobs belong to a connection: it takes none before the lock is acquired, and none after the
 * connection fell silent.
 */
async function startRunner(
  connection: OpenConnection,
  pool: pg.Pool,
  platform: Platform,
  definitions: readonly Job[],
): Promise<Runner> {
  const events: WorkerEvents = new EventEmitter()
  let locked: Promise<unknown> = Promise.resolve()
  const running: Running = {
    platform,
    pool,
    connection,
    worker: '',
    complete: inSets(String, (ids: readonly string[]) => completeJobs(pool, running.worker, ids)),
    requireOwnership: () => {
      if (!isOwner(connection)) throw new Error('this worker no longer owns its jobs')
    },
  }
  // The name under which all jobs of this runner are locked; its workers start after this event.
  events.once('pool:create', ({ workerPool }) => {
    running.worker = workerPool.id
    lookInTurn(events, workerPool)
    locked = lockOwner(connection, running.worker)
    locked.catch(() => {})
  })
  const runner = await run({
    pgPool: pool,
    events,
    concurrency: AT_ONCE,
    pollInterval: POLL_MS,
    noHandleSignals: true,
    // Writes of a finished job go through these batches and fail with the runner; without them they would fail with the
    // process.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    logger: loggerOf(platform.log),
    // Called before each poll for a job.
    forbiddenFlags: async () => {
      await locked
      running.requireOwnership()
      return null
    },
    taskList: Object.fromEntries(definitions.map((definition) => [definition.name, taskOf(running, definition)])),
  })
  try {
    await locked
  } catch (error) {
    runner.promise.catch(() => {})
    await runner.stop().catch(() => {})
    throw error
  }
  return runner
}

/** What the jobs of a runner need of it; its worker has a name once it begins. */
type Running = {
  readonly platform: Platform
  readonly pool: pg.Pool
  readonly connection: OpenConnection
  worker: string
  complete(jobId: string): Promise<boolean>
  requireOwnership(): void
}

/** Has the queue run a job: beside others, or alone where it was running when a process died. */
function taskOf(running: Running, definition: Job): NonNullable<RunnerOptions['taskList']>[string] {
  const { pool, platform } = running
  return async (payload, { job }) => {
    const work = (join: () => void) =>
      atWork(`job ${definition.name} ${job.id}`, () => runJob(running, definition, payload, { job, joinOthers: join }))
    const { flags } = job
    if (!hasDied(flags)) return platform.turns.beside(() => work(() => {}))
    if (isLastChance(flags)) await setTimeout(platform.turns.probationMs())
    return platform.turns.alone(async (company, join) => {
      if (company.aborted) return work(join)
      // Not counted if the database fails: the work itself notices that.
      await countAlone(pool, running.worker, job.id, flags).catch(() => {})
      company.addEventListener('abort', () => {
        takeBackAlone(pool, running.worker, job.id, flags).catch(() => {})
      })
      await work(join)
    })
  }
}

/** Runs a job once and completes it; one that failed is postponed, or returned where this process no longer owns it. */
async function runJob(
  { platform, pool, connection, worker, complete, requireOwnership }: Running,
  definition: Job,
  payload: unknown,
  { job, joinOthers }: { job: QueueJob; joinOthers: () => void },
): Promise<void> {
  try {
    requireOwnership()
    const tenantId = Number(fieldIn(payload, 'tenantId'))
    await definition.run(platform, { ...definition.schema.parse(payload), tenantId }, { requireOwnership, joinOthers })
    refuseLost()
    if (!(await complete(job.id))) throw new Error('a job was taken over by another worker')
  } catch (error) {
    const isCounted = !isInfrastructure(error)
    const seconds = 5 * 4 ** (isCounted ? job.attempts - 1 : 0) * (0.8 + Math.random() * 0.4)
    const next = isOwner(connection)
      ? postponeJob(pool, worker, job.id, seconds, isCounted)
      : returnJob(pool, worker, job.id)
    await next.catch(() => {})
    throw error
  }
}

// The queue's log messages quote errors, which may quote data.
const loggerOf = (log: Log) =>
  new Logger(() => (level, _message, meta) => {
    if (level !== 'error' && level !== 'warning') return
    const [job, error] = [fieldIn(meta, 'job'), fieldIn(meta, 'error')]
    if (!job && !error) return // only its message is left, which may quote data
    log.warn(
      { queue: level, jobId: fieldIn(job, 'id'), task: fieldIn(job, 'task_identifier'), err: error },
      'job queue',
    )
  })
