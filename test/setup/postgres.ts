import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '#server/postgres/embedded.ts'
import { isAlive, serversIn, signal } from '#server/postgres/processes.ts'
import type { TestServer } from '#test/product.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The owner's connection string of the run's one PostgreSQL (fsync off); make databases of your own in it. */
    postgresUrl: string
    /** Folder of the run, deleted with it. */
    postgresFolder: string
  }
}

const prefix = 'guiche-test-'

/** Starts the one PostgreSQL of a test run of vitest and hands its address to `inject('postgresUrl')`. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const { url, folder, stop } = await startServer()
  provide('postgresUrl', url)
  provide('postgresFolder', folder)
  return stop
}

/**
 * Starts a PostgreSQL in a temporary folder, both gone after `stop`; `TEST_DATABASE_URL` (a superuser's) names a server of
 * another version instead.
 */
export async function startServer(): Promise<TestServer & { stop(): Promise<void> }> {
  removeLeftovers()
  const folder = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`))
  const given = process.env.TEST_DATABASE_URL
  const quiet = { info: () => {}, error: console.error }
  // Many products at once share it, some as several processes.
  const options = { dataDir: folder, log: quiet, fsync: false, sharedBuffers: '128MB', maxConnections: 800 }
  const server = given ? undefined : await startEmbedded(options)
  return {
    url: given ?? server!.url,
    folder,
    async stop() {
      await server?.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

/** A run that was killed leaves its server behind. */
function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    const owner = Number(name.startsWith(prefix) && name.slice(prefix.length).split('-')[0])
    if (!owner || isAlive(owner)) continue
    const folder = join(tmpdir(), name)
    for (const pid of serversIn(join(folder, 'postgres'))) signal(pid, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}
