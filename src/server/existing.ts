import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { refuseUnfinishedFolder } from './backup/unfinished.ts'
import { checkServer } from './db/preflight.ts'
import type { Env } from './env.ts'
import type { Log } from './log.ts'
import { findEmbedded, startEmbedded } from './postgres/embedded.ts'
import { lockInstance } from './postgres/instance-lock.ts'
import { loadSecrets, type Secrets } from './secrets.ts'

/** Whether a master key exists; commands other than the first start do not create one. */
export const hasKey = (env: Env): boolean =>
  Boolean(env.SECRET_KEY || env.SECRET_KEY_FILE) || existsSync(join(env.DATA_DIR, 'secret.key'))

/**
 * Opens an existing installation, beside a running product or alone: its owner's address and its keys. `close` stops what
 * was started for it. Rejects with a Portuguese sentence when there is none.
 */
export async function openExisting(
  env: Env,
  log: Log,
): Promise<{ ownerUrl: string; secrets: Secrets; close(): Promise<void> }> {
  if (!hasKey(env) || !(env.DATABASE_URL || existsSync(join(env.DATA_DIR, 'postgres'))))
    throw new Error(`Não há instalação na pasta ${env.DATA_DIR}: indique a certa com DATA_DIR.`)
  refuseUnfinishedFolder(env.DATA_DIR)
  const secrets = loadSecrets(env)
  await checkServer(env)
  if (env.DATABASE_URL) return { ownerUrl: env.DATABASE_URL, secrets, close: async () => {} }
  let release: () => void
  try {
    release = lockInstance(env.DATA_DIR)
  } catch (error) {
    const running = findEmbedded(env.DATA_DIR)
    if (!running) throw error
    return { ownerUrl: running, secrets, close: async () => {} }
  }
  try {
    const quiet = { info: () => {}, error: (line: string) => log.error(line) }
    const embedded = await startEmbedded({ dataDir: env.DATA_DIR, log: quiet })
    return {
      ownerUrl: embedded.url,
      secrets,
      async close() {
        await embedded.stop()
        release()
      },
    }
  } catch (error) {
    release()
    throw error
  }
}
