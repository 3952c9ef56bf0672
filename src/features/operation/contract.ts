import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { isoTime } from '#kit/fields.ts'
import { HEALTH_PARTS } from '#kit/health-parts.ts'
import * as at from './addresses.ts'

const count = z.number().int()
const pair = z.object({ key: z.string(), value: z.string() })

const jobQueue = z.object({
  queueName: z.string(),
  failedCount: count,
  activeCount: count,
  waitingCount: count,
  /** Number of jobs scheduled for later. */
  laterCount: count,
  /** Time since which the oldest job waits. */
  oldest: isoTime.nullable(),
})

const bytes = z.number().int().nonnegative()

/** Kind of job, with its counts. */
export type JobQueue = z.output<typeof jobQueue>

/** API contract of the installation's state: settings, packages, jobs, version. */
export const operation = contract(at.operation, {
  environment: {
    summary: 'Variáveis de ambiente do servidor; segredos mascarados',
    mode: 'slow',
    returns: z.array(pair.extend({ isDefault: z.boolean(), isSecret: z.boolean() })),
  },
  manifest: {
    summary: 'O manifesto do pacote: nome, versão e dependências',
    mode: 'slow',
    returns: z.object({ about: z.array(pair), dependencies: z.array(pair) }),
  },
  queues: {
    summary: 'Filas de tarefas: falhadas, em andamento e esperando',
    mode: 'slow',
    returns: z.array(jobQueue),
  },
  reprocess: {
    summary: 'Tentar de novo as tarefas falhadas de uma fila',
    mode: 'slow',
    params: z.object({ queueName: z.string().trim().min(1).max(200) }),
    returns: z.object({ count }),
    errors: ['ERR_NOT_FOUND'],
    audit: true,
  },
  monitor: {
    summary: 'Uso do servidor que responde: processador, memória, disco e banco de dados, e o que falha nele agora',
    mode: 'slow',
    returns: z.object({
      host: z.string(),
      /** Seconds since this process started. */
      uptime: count,
      /** `usage` in percent of all processors. */
      cpu: z.object({ usage: z.number().min(0).max(100), cores: count }),
      memory: z.object({ total: bytes, used: bytes, free: bytes, usedPercentage: z.number(), process: bytes }),
      /** File system of the data folder; null where the system does not report it. */
      disk: z.object({ total: bytes, free: bytes }).nullable(),
      database: z.object({ version: z.string(), size: bytes, connections: count, maxConnections: count }),
      failing: z.array(z.object({ part: z.enum(HEALTH_PARTS), since: isoTime })),
    }),
  },
  update: {
    summary: 'Versão em uso, a que está no disco, e as migrações do banco',
    mode: 'slow',
    returns: z.object({
      version: z.string(),
      /** Version of the files on this machine; a different one than `version` waits for a restart. */
      onDisk: z.string(),
      node: z.string(),
      startedAt: isoTime,
      migrations: z.object({
        count,
        last: z.array(z.object({ name: z.string(), at: isoTime })),
        /** Migrations that are on disk but not in the database yet. */
        waiting: z.array(z.string()),
      }),
      /** Changes of each version, newest first. */
      changes: z.array(z.object({ version: z.string(), texts: z.array(z.string()) })),
    }),
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    operation: typeof operation
  }
}
