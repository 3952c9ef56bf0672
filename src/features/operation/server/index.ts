import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { z } from 'zod'
import { fail } from '#kit/errors.ts'
import { checkout } from '#server/checkout.ts'
import { listMigrations } from '#server/db/migrate.ts'
import { environment } from '#server/env.ts'
import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/route.ts'
import { operation } from '../contract.ts'
import { readCpu, readDisk, readMemory } from './machine.ts'
import { listApplied, listJobKinds, readDatabase, retryFailedJobs } from './queries.ts'
import { changesIn, shownEnvironment } from './shown.ts'

/** Maximum number of failed jobs retried at once; another request retries the rest. */
const MOST_RETRIED = 10_000
const SHOWN_MIGRATIONS = 10

const manifestOf = z.record(z.string(), z.unknown())

const readManifest = async () => manifestOf.parse(JSON.parse(await readFile(new URL('package.json', checkout), 'utf8')))

const readNews = async (): Promise<string> => readFile(new URL('CHANGELOG.md', checkout), 'utf8').catch(() => '')

const pairs = (record: unknown) => Object.entries(record ?? {}).map(([key, value]) => ({ key, value: String(value) }))

const routes = implement(operation, {
  environment: async ({ platform }) => shownEnvironment(platform.env, environment.parse({})),
  manifest: async () => {
    const manifest = await readManifest()
    const texts = ['name', 'version', 'description', 'license', 'type'].flatMap((key) => {
      const value = manifest[key]
      return typeof value === 'string' ? [{ key, value }] : []
    })
    const engines = pairs(manifest['engines']).map(({ key, value }) => ({ key: `engines.${key}`, value }))
    return { about: [...texts, ...engines], dependencies: pairs(manifest['dependencies']) }
  },
  queues: async ({ platform }) => {
    const kinds = await platform.db.askAsPlatform(listJobKinds)
    return kinds.map((kind) => ({ ...kind, oldest: kind.oldest?.toISOString() ?? null }))
  },
  reprocess: async ({ platform, audit }, { params }) => {
    const kinds = await platform.db.askAsPlatform(listJobKinds)
    if (!kinds.some(({ queueName }) => queueName === params.queueName)) return fail('ERR_NOT_FOUND')
    const count = await platform.db.asPlatform((db) => retryFailedJobs(db, params.queueName, MOST_RETRIED))
    audit({ after: { queueName: params.queueName, count } })
    return { count }
  },
  monitor: async ({ platform }) => {
    const [cpu, disk, database] = await Promise.all([
      readCpu(),
      readDisk(platform.env.DATA_DIR),
      platform.db.askAsPlatform(readDatabase),
    ])
    return {
      host: hostname(),
      uptime: Math.floor(process.uptime()),
      cpu,
      memory: readMemory(),
      disk,
      database,
      failing: platform.health.failing().map(({ part, since }) => ({ part, since: new Date(since).toISOString() })),
    }
  },
  update: async ({ platform, now }) => {
    const [applied, manifest, changes] = await Promise.all([
      platform.db.askAsPlatform(listApplied),
      readManifest(),
      readNews(),
    ])
    const known = new Set(applied.map(({ name }) => name))
    return {
      version: platform.version,
      onDisk: String(manifest['version'] ?? ''),
      node: process.version.replace(/^v/, ''),
      startedAt: new Date(now.getTime() - process.uptime() * 1000).toISOString(),
      migrations: {
        count: applied.length,
        last: applied.slice(0, SHOWN_MIGRATIONS).map(({ name, at }) => ({ name, at: at.toISOString() })),
        waiting: listMigrations().filter((name) => !known.has(name)),
      },
      changes: changesIn(changes),
    }
  },
})

/** Server part of the feature `operation`: monitoring of the installation, for the superadmin. */
export const operationFeature: Feature = {
  name: 'operation',
  titles: { operation: 'Operação da instalação' },
  routes,
}
