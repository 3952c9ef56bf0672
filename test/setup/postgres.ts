import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '#server/postgres/embedded.ts'
import { isAlive, serversIn, signal } from '#server/postgres/processes.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The owner's connection string of the run's one PostgreSQL (fsync off); make databases of your own in it. */
    postgresUrl: string
  }
}

const prefix = 'guiche-test-'

/**
 * Starts the one PostgreSQL of a test run in a temporary folder and hands its address to `inject('postgresUrl')`;
 * `TEST_DATABASE_URL` (a superuser's) names a server of another version instead.
 */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL
  if (given) {
    provide('postgresUrl', given)
    return async () => {}
  }
  removeLeftovers()
  const dataDir = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`))
  const quiet = { info: () => {}, error: console.error }
  // Many products at once share it, some as several processes.
  const server = await startEmbedded({ dataDir, log: quiet, fsync: false, sharedBuffers: '128MB', maxConnections: 800 })
  provide('postgresUrl', server.url)
  return async () => {
    await server.stop()
    rmSync(dataDir, { recursive: true })
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
