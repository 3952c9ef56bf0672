import { writeAudit } from '#server/audit.ts'
import { anchorTails, expireChain, listChains } from '#server/audit-retention.ts'
import type { Platform } from '#server/platform.ts'

/**
 * Nightly maintenance of the logs: deletes records older than five years (decision B28), and records the end of every
 * company's log in the installation's log, so that none can be rolled back unnoticed.
 */
export async function maintainAudit(platform: Platform): Promise<void> {
  const { db, secrets } = platform
  for (const chain of await db.asPlatform(listChains)) {
    await db.asPlatform(async (tx) => {
      const upTo = await expireChain(tx, secrets, chain)
      if (upTo) await writeAudit(tx, platform, chain, [{ action: 'audit.expired', actor: null, target: { upTo } }])
    })
  }
  await db.asPlatform(async (tx) => {
    const tails = await anchorTails(tx)
    if (tails) await writeAudit(tx, platform, 'platform', [{ action: 'audit.anchored', actor: null, after: tails }])
  })
}
