import { type ChildProcess, spawn } from 'node:child_process'
import { itemAt } from '#domain/present.ts'
import type { Env } from './env.ts'

/** Argument that runs the program as a host of persistent connections. */
const HOST = 'host'

/** Maximum number of database connections of a host: several hosts share the server's. */
const MOST_CLIENTS = 6

/** Whether this process is one that `startHostProcess` has started. */
export const isHostProcess = process.argv[2] === HOST

/**
 * Starts another process of this program, which hosts connections to channels. It stays in this process's group and ends
 * with it: the IPC channel breaks however this process ends.
 */
export const startHostProcess = ({ DB_POOL }: Pick<Env, 'DB_POOL'>, databaseUrl: string): ChildProcess =>
  spawn(process.execPath, [...process.execArgv, itemAt(process.argv, 1), HOST], {
    env: {
      ...process.env,
      ...{ ROLES: 'channels', PORT: '0', HOST: '127.0.0.1', DEMO: '' },
      ...{ DATABASE_URL: databaseUrl, DB_POOL: String(Math.min(DB_POOL, MOST_CLIENTS)) },
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
