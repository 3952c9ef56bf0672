import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { faultLines, verifyAudit } from '#server/audit-verify.ts'
import { openDatabase } from '#server/db/db.ts'
import { databaseUrls } from '#server/db/roles.ts'
import { readEnv } from '#server/env.ts'
import { createLog } from '#server/log.ts'
import { findEmbedded, startEmbedded } from '#server/postgres/embedded.ts'
import { holdInstance } from '#server/postgres/instance-lock.ts'
import { loadSecrets } from '#server/secrets.ts'

/** Walks all audit logs, also beside a running product, and names what is missing or was changed; the exit code is 1 then. */
async function main(): Promise<number> {
  const env = readEnv()
  env.DATA_DIR = resolve(env.DATA_DIR)
  const ends: (() => unknown)[] = []
  try {
    const log = createLog(env)
    const hasKey = env.SECRET_KEY || env.SECRET_KEY_FILE || existsSync(join(env.DATA_DIR, 'secret.key'))
    if (!hasKey || !(env.DATABASE_URL || existsSync(join(env.DATA_DIR, 'postgres'))))
      throw new Error(`Não há instalação na pasta ${env.DATA_DIR}: indique a certa com DATA_DIR.`)
    let ownerUrl = env.DATABASE_URL ?? findEmbedded(env.DATA_DIR)
    if (!ownerUrl) {
      ends.push(holdInstance(env.DATA_DIR))
      const quiet = { info: () => {}, error: (line: string) => log.error(line) }
      const embedded = await startEmbedded({ dataDir: env.DATA_DIR, log: quiet })
      ends.push(() => embedded.stop())
      ownerUrl = embedded.url
    }
    const secrets = loadSecrets(env)
    const db = openDatabase(databaseUrls(ownerUrl, env, secrets), { max: 2, log })
    ends.push(() => db.close())
    const checks = await db.asPlatform((tx) => verifyAudit(tx, secrets))
    const faults = faultLines(checks)
    for (const line of faults) console.log(line)
    const records = checks.reduce((sum, check) => sum + check.records, 0)
    console.log(
      `Auditoria: ${records} registros em ${checks.length} trilhas, ${faults.length === 0 ? 'nenhuma falha' : `${faults.length} com falha`}.`,
    )
    return faults.length === 0 ? 0 : 1
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

process.exitCode = await main().catch((error: Error) => {
  console.error(error.message)
  return 2
})
