import { formatPhone } from '#domain/phone/shown.ts'
import { actorWithin, type Ctx } from '#server/context.ts'
import { recording } from '../changes.ts'
import { countChange } from '../queries-bulk.ts'
import { listFields } from '../queries-fields.ts'
import { COLUMN_OF, changeOf, extraOf, keyOf, ownImage } from './decide.ts'
import { type ImportChange, insertChanges, nextRows, type StoredImport, saveImport } from './queries.ts'
import {
  findPersons,
  insertContacts,
  type Known,
  lockKnown,
  type NewContact,
  readKnown,
  textOf,
  writeFields,
  writeSets,
} from './queries-known.ts'
import { ownNow, type RowContent } from './rows.ts'
import { publishContacts, type Turn } from './turn.ts'

const BLOCK = 500
/** So often a block is tried whose numbers somebody else takes in that moment. */
const TRIES = 3

/** Writes what the check found, block by block; whoever has come or gone since then is met as they are now. */
export async function run({ platform, tenantId, found, block }: Turn): Promise<void> {
  for (let after = found.done_row; ; ) {
    const lines = await platform.db.read(tenantId, (db) => nextRows(db, found.id, after, BLOCK))
    if (lines.length === 0) return
    if (!(await block((ctx, now) => writeBlock(ctx, now, lines)))) return
    after = lines.at(-1)!.line
  }
}

type Line = { readonly line: number; readonly content: RowContent }

async function writeBlock(ctx: Ctx, found: StoredImport, checked: readonly Line[]): Promise<void> {
  const { options, id } = found
  const fields = new Map((await listFields(ctx.db)).map((one) => [one.id, one]))
  const lines = checked.map(({ line, content }) => ({
    line,
    content: { ...content, own: ownNow(content.own, fields) },
  }))
  for (let left = TRIES; ; left--) {
    const persons = await findPersons(
      ctx.db,
      lines.map(({ content }) => keyOf(content)),
    )
    const ids = [...new Set(persons.values())]
    await lockKnown(ctx.db, ids)
    const known = new Map((await readKnown(ctx.db, ids, options.onlyFor)).map((row) => [row.id, row]))
    const of = ({ content }: Line): Known | undefined => known.get(persons.get(textOf(keyOf(content))) ?? 0)
    const fresh = lines.filter((line) => !of(line))
    const made = await insertContacts(ctx.db, fresh.map(newOf), ctx.now)
    if (!made) {
      if (left > 1) continue
      throw new Error('the numbers of an import are taken all the time')
    }
    const { tags, wallets } = options
    const sets = { ...(tags.length > 0 ? { tags } : {}), ...(wallets.length > 0 ? { wallets } : {}) }
    const created = fresh.map(
      ({ line, content }): ImportChange => ({
        contactId: made.get(line)!,
        before: null,
        after: { ...sets, ...ownImage(content) },
      }),
    )
    const changed = lines.flatMap((line): ImportChange[] => {
      const one = of(line)
      const change = one && options.onDuplicate === 'update' ? changeOf(one, line.content, options) : null
      return change ? [{ contactId: one!.id, ...change }] : []
    })
    const by = { ...ctx, user: found.user_id === null ? null : await actorWithin(ctx, found.user_id) }
    const changedIds = changed.map(({ contactId }) => contactId)
    const toWrite = (changes: readonly ImportChange[]) =>
      changes.map(({ contactId, after }) => ({ id: contactId, after }))
    await writeSets(ctx.db, toWrite(created))
    if (changed.length > 0)
      await recording(by, changedIds, async () => {
        await writeFields(ctx.db, toWrite(changed), ctx.now)
        await countChange(ctx.db, changedIds, { by: found.user_id ?? null, now: ctx.now })
      })
    await insertChanges(ctx.db, id, [...created, ...changed])
    await saveImport(ctx.db, id, { done_row: lines.at(-1)!.line, done: found.done + lines.length })
    const first = created[0] ?? changed[0]
    if (first) publishContacts(ctx, first.contactId)
    return
  }
}

function newOf({ line, content }: Line): NewContact {
  const { number = null, extra } = content
  const fields = Object.entries(COLUMN_OF).map(([field, column]) => [column, content[field as 'name']] as const)
  const values = {
    ...Object.fromEntries(fields),
    name: content.name ?? formatPhone(number),
    extra_info: extraOf([], extra),
  }
  return { line, number, values }
}
