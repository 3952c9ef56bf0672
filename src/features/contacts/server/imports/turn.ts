import { contactEvents } from '#features/ledger/contact-events.ts'
import type { Ctx } from '#server/context.ts'
import type { JobRun } from '#server/job.ts'
import type { Platform } from '#server/platform.ts'
import type { StoredImport } from './queries.ts'

/** Context of an import run: each block commits separately, while the import is locked and not canceled. */
export type Turn = JobRun & {
  readonly platform: Platform
  readonly tenantId: number
  readonly found: StoredImport
  /** Runs a block and returns whether the import continues; canceling takes the same lock. */
  block(work: (ctx: Ctx, found: StoredImport) => Promise<void>): Promise<boolean>
}

/** Publishes an event that makes contact lists reload. */
export const publishContacts = (ctx: Ctx, id: number): void =>
  ctx.emit(contactEvents.update, { id }, { kind: 'permission', permission: 'contacts:read' })
