import { recording } from '../changes.ts'
import { type ImportChange, saveImport, takeChanges, takeMade } from './queries.ts'
import { type FieldChange, type Known, lockKnown, readKnown, removeUntouched, writeFields } from './queries-known.ts'
import type { Image } from './rows.ts'
import { publishContacts, type Turn } from './turn.ts'

const BLOCK = 500

/**
 * Undoes an import: deletes contacts that it created if they are unchanged and nothing belongs to them; restores fields that
 * still have the imported value.
 */
export async function undo({ found: { id }, block }: Turn): Promise<void> {
  for (let isOver = false; !isOver; ) {
    const isOn = await block(async (ctx, now) => {
      const made = await takeMade(ctx.db, id)
      if (made) {
        const { removed, left } = await removeUntouched(ctx.db, made, {
          ...now.options,
          ...(now.columns.some(({ use }) => use === 'tags') ? { tags: null } : {}),
        })
        await saveImport(ctx.db, id, { restored: now.restored + removed, skipped: now.skipped + left })
        publishContacts(ctx, made[0]!)
        return
      }
      const changes = await takeChanges(ctx.db, id, BLOCK)
      isOver = changes.length < BLOCK
      const ids = changes.map(({ contactId }) => contactId)
      await lockKnown(ctx.db, ids)
      const known = new Map((await readKnown(ctx.db, ids, null)).map((row) => [row.id, row]))
      const back = changes.map((change) => returnOf(change, known.get(change.contactId)))
      const returns = back.filter(({ after }) => Object.keys(after).length > 0)
      const returned = returns.map((one) => one.id)
      if (returns.length > 0) await recording(ctx, returned, () => writeFields(ctx.db, returns, ctx.now))
      const restored = back.filter(({ isWhole }) => isWhole).length
      await saveImport(ctx.db, id, {
        restored: now.restored + restored,
        skipped: now.skipped + changes.length - restored,
      })
      if (changes[0]) publishContacts(ctx, changes[0].contactId)
    })
    if (!isOn) return
  }
}

function returnOf(
  { contactId, before, after }: ImportChange,
  known: Known | undefined,
): FieldChange & { isWhole: boolean } {
  const now: Image | undefined = known && { ...known, ...known.own }
  const same = Object.keys(after).filter(
    (column) => now && JSON.stringify(now[column]) === JSON.stringify(after[column]),
  )
  const fields = Object.fromEntries(same.map((column) => [column, before[column]]))
  return { id: contactId, after: fields, isWhole: same.length === Object.keys(after).length }
}
