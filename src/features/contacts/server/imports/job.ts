import { z } from 'zod'
import { publishRefresh } from '#features/history/server/index.ts'
import { isSendFailure } from '#providers/channels/port.ts'
import { type Ctx, unit } from '#server/context.ts'
import { removeFiles } from '#server/files/orphans.ts'
import { job } from '#server/job.ts'
import { check } from './check.ts'
import { analyzeContacts, findImport, lockImport, type StoredImport, saveImport } from './queries.ts'
import { run } from './run.ts'
import { sync } from './sync.ts'
import type { Turn } from './turn.ts'
import { undo } from './undo.ts'

/** Job that checks, writes or undoes an import. Resumes after the last committed block. */
export const importJob = job({
  name: 'contacts:import',
  schema: z.object({ importId: z.string() }),
  async run(platform, { tenantId, importId }, jobRun) {
    for (;;) {
      const found = await platform.db.read(tenantId, (db) => findImport(db, importId))
      if (found?.status !== 'running') return
      const { phase } = found
      const block: Turn['block'] = async (work) => {
        jobRun.requireOwnership()
        const isOn = await unit(platform, { tenantId, user: null }, async (ctx) => {
          const now = await lockImport(ctx.db, importId)
          if (now?.status !== 'running' || now.phase !== phase) return false
          await work(ctx, now)
          return true
        })
        await platform.checkpoint('import block committed')
        return isOn
      }
      const turn: Turn = { ...jobRun, platform, tenantId, found, block }
      const problem = await stepOf(found)(turn).catch((error: unknown) => {
        if (isSendFailure(error)) return 'O canal não respondeu. Confira se está conectado e tente de novo.'
        throw error
      })
      // Otherwise autovacuum would do it later, and imported contacts would be slow to read until then.
      if (found.phase !== 'check')
        await platform.db
          .write(tenantId, analyzeContacts)
          .catch((err: unknown) => platform.log.warn({ err, tenantId, importId }, 'statistics of contacts stay old'))
      await block((ctx, now) => end(ctx, now, typeof problem === 'string' ? problem : ''))
      // The next attempt resumes here.
      if (found.file_id) await removeFiles(platform, tenantId, [found.file_id])
    }
  },
})

const stepOf = ({ kind, phase }: StoredImport): ((turn: Turn) => Promise<unknown>) => {
  if (phase === 'undo') return undo
  if (kind === 'contacts' || kind === 'groups') return sync
  return phase === 'check' ? check : run
}

// A checked import is written next, unless it is a dry run or its encoding is doubtful: then a person or program
// chooses the encoding first. The file is deleted at the end.
async function end(ctx: Ctx, found: StoredImport, problem: string): Promise<void> {
  if (problem) return saveImport(ctx.db, found.id, { status: 'failed', problem, ended_at: ctx.now })
  if (found.phase === 'check' && !found.is_dry_run && found.letters?.isDoubtful)
    return saveImport(ctx.db, found.id, { status: 'done', is_dry_run: true, ended_at: ctx.now })
  if (found.phase === 'check' && !found.is_dry_run)
    return saveImport(ctx.db, found.id, { phase: 'run', done_row: 0, done: 0 })
  const isOver = found.phase !== 'check'
  await saveImport(ctx.db, found.id, { status: 'done', ended_at: ctx.now, ...(isOver ? { file_id: null } : {}) })
  if (isOver) publishRefresh(ctx)
}

/** Enqueues an import; imports of a tenant run one after the other, at a lower priority than live work. */
export function enqueueImport(ctx: Pick<Ctx, 'enqueue' | 'tenantId'>, importId: string): void {
  const queue = `contacts:import:${ctx.tenantId}`
  ctx.enqueue(importJob, { importId }, { key: `contacts:import:${importId}`, queue, priority: BEHIND_LIVE })
}

const BEHIND_LIVE = 10
