import { contactEvents } from '#features/ledger/contact-events.ts'
import type { Ctx } from '#server/context.ts'
import type { JobRun } from '#server/job.ts'
import type { Platform } from '#server/platform.ts'
import type { StoredImport } from './queries.ts'

/** Whatever is done for an import: blocks of lines, each committed by itself while the import is held and still goes on. */
export type Turn = JobRun & {
  readonly platform: Platform
  readonly tenantId: number
  readonly found: StoredImport
  /** Does a block and says whether the import still goes on; whoever cancels it holds it too. */
  block(work: (ctx: Ctx, found: StoredImport) => Promise<void>): Promise<boolean>
}

/** Has every screen read its contacts again. */
export const publishContacts = (ctx: Ctx, id: number): void =>
  ctx.emit(contactEvents.update, { id }, { kind: 'permission', permission: 'contacts:read' })
