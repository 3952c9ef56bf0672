import { resolve } from 'node:path'
import { describeFaults, verifyAudit } from '#server/audit-verify.ts'
import { openDatabase } from '#server/db/db.ts'
import { databaseUrls } from '#server/db/roles.ts'
import { readEnv } from '#server/env.ts'
import { openExisting } from '#server/existing.ts'
import { createLog } from '#server/log.ts'

/**
 * Verifies all audit logs, also beside a running product, and prints missing or changed records; the exit code is then 1.
 */
async function main(): Promise<number> {
  const env = readEnv()
  env.DATA_DIR = resolve(env.DATA_DIR)
  const log = createLog(env)
  const { ownerUrl, secrets, close } = await openExisting(env, log)
  const db = openDatabase(databaseUrls(ownerUrl, env, secrets), { max: 2, log, now: () => new Date() })
  try {
    const checks = await db.asPlatform((tx) => verifyAudit(tx, secrets))
    const faults = describeFaults(checks)
    for (const line of faults) console.log(line)
    const records = checks.reduce((sum, check) => sum + check.records, 0)
    console.log(
      `Auditoria: ${records} registros em ${checks.length} trilhas, ${faults.length === 0 ? 'nenhuma falha' : `${faults.length} com falha`}.`,
    )
    return faults.length === 0 ? 0 : 1
  } finally {
    await db.close()
    await close()
  }
}

process.exitCode = await main().catch((error: Error) => {
  console.error(error.message)
  return 2
})
