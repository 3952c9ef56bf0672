import { foldText } from '#domain/flow/fold.ts'
import { entriesIn } from '#domain/keys.ts'
import { formatPhone } from '#domain/phone/shown.ts'
import { addTags } from '#features/catalog/server/index.ts'
import { actorWithin, type Ctx } from '#server/context.ts'
import { recording } from '../changes.ts'
import { countChange } from '../queries-bulk.ts'
import { listFields } from '../queries-fields.ts'
import { declareConsents } from './consents.ts'
import { COLUMN_OF, changeOf, extraOf, keyOf, ownImage, type TagIds, tagIdsOf } from './decide.ts'
import {
  type GoodLine,
  type ImportChange,
  insertChanges,
  nextBlock,
  type StoredImport,
  saveImport,
  writtenBlock,
} from './queries.ts'
import {
  clearNeedsSource,
  findPersons,
  insertContacts,
  type Known,
  listTagIds,
  lockKnown,
  type NewContact,
  readKnown,
  writeFields,
  writeSets,
} from './queries-known.ts'
import { ownNow, type RowContent, textOf } from './rows.ts'
import { publishContacts, type Turn } from './turn.ts'

type Next = NonNullable<Awaited<ReturnType<typeof nextBlock>>>

/** Attempts to write a block whose numbers are taken concurrently. */
const TRIES = 3

/** Writes the checked lines, block by block; re-reads contacts that were created or removed since the check. */
export async function run({ platform, tenantId, found, block }: Turn): Promise<void> {
  for (let after = found.done_row; ; ) {
    const next = await platform.db.read(tenantId, (db) => nextBlock(db, found.id, after))
    if (!next) return
    if (!(await block((ctx, now) => writeBlock(ctx, now, next)))) return
    after = next.line
  }
}

async function writeBlock(ctx: Ctx, found: StoredImport, next: Next): Promise<void> {
  const { options } = found
  const fields = new Map((await listFields(ctx.db)).map((one) => [one.id, one]))
  const lines = next.lines.map(({ line, content }) => ({
    line,
    content: content.own ? { ...content, own: ownNow(content.own, fields) } : content,
  }))
  const named = lines.flatMap(({ content }) => content.tags ?? [])
  const tagIds = named.length > 0 ? await makeTags(ctx, named) : new Map<string, number>()
  const made = new Map<number, number>()
  const { source = '' } = options
  const newly = { needsSource: source === '', now: ctx.now }
  for (let left = TRIES; ; left--) {
    const persons = await findPersons(
      ctx.db,
      lines.map(({ content }) => keyOf(content)),
    )
    const ids = [...new Set(persons.values())]
    await lockKnown(ctx.db, ids)
    const known = new Map((await readKnown(ctx.db, ids, options.onlyFor)).map((row) => [row.id, row]))
    const met = lines.map(({ line, content }): Known | undefined =>
      made.has(line) ? undefined : known.get(persons.get(textOf(keyOf(content))) ?? 0),
    )
    const fresh = lines.filter((_, at) => !met[at])
    const missing = fresh.filter(({ line }) => !made.has(line))
    for (const [line, id] of await insertContacts(ctx.db, missing.map(newOf), newly)) made.set(line, id)
    if (made.size < fresh.length) {
      if (left > 1) continue
      throw new Error('the numbers of an import are taken all the time')
    }
    return writeMet(ctx, found, { lines, met, fresh, made, tagIds, lastLine: next.line })
  }
}

type Met = {
  readonly lines: readonly GoodLine[]
  /** The contact of each line; undefined if the line creates one. */
  readonly met: readonly (Known | undefined)[]
  readonly fresh: readonly GoodLine[]
  /** Ids of created contacts by line number. */
  readonly made: ReadonlyMap<number, number>
  readonly tagIds: TagIds
  readonly lastLine: number
}

/** Writes the data of a block's lines to existing contacts and to those created for them. */
async function writeMet(
  ctx: Ctx,
  found: StoredImport,
  { lines, met, fresh, made, tagIds, lastLine }: Met,
): Promise<void> {
  const { options, id } = found
  const { source = '', tags, wallets } = options
  const setsOf = (content: RowContent) => {
    const all = [...new Set([...tags, ...tagIdsOf(content, tagIds)])]
    return { ...(all.length > 0 ? { tags: all } : {}), ...(wallets.length > 0 ? { wallets } : {}) }
  }
  const createdIds = fresh.map(({ line }) => made.get(line)!)
  const changed = lines.flatMap(({ content }, at): ImportChange[] => {
    const one = met[at]
    // The contact's wallets may have changed since the check.
    const change = one?.isSeen && options.onDuplicate === 'update' ? changeOf(one, content, options, tagIds) : null
    return change ? [{ contactId: one!.id, ...change }] : []
  })
  const by = { ...ctx, user: found.user_id === null ? null : await actorWithin(ctx, found.user_id) }
  const changedIds = changed.map(({ contactId }) => contactId)
  await writeSets(
    ctx.db,
    fresh.map(({ content }, at) => ({ id: createdIds[at]!, after: { ...setsOf(content), ...ownImage(content) } })),
  )
  if (changed.length > 0) {
    const toWrite = changed.map(({ contactId, after }) => ({ id: contactId, after }))
    await recording(by, changedIds, async () => {
      await writeFields(ctx.db, toWrite, ctx.now)
      await countChange(ctx.db, changedIds, { by: found.user_id ?? null, now: ctx.now })
    })
    await insertChanges(ctx.db, id, changed)
  }
  if (source !== '') {
    const listed = [...new Set([...createdIds, ...met.flatMap((one) => (one?.isSeen ? [one.id] : []))])]
    await clearNeedsSource(ctx.db, listed)
    await declareConsents(ctx, listed, { note: source, userId: found.user_id })
  }
  await writtenBlock(ctx.db, id, lastLine, createdIds)
  await saveImport(ctx.db, id, { done_row: lastLine, done: found.done + lines.length })
  const first = createdIds[0] ?? changedIds[0]
  if (first !== undefined) publishContacts(ctx, first)
}

/** Returns tag ids by name; creates missing tags. */
async function makeTags(ctx: Ctx, names: readonly string[]): Promise<TagIds> {
  const known = await listTagIds(ctx.db)
  // Of two spellings the first one wins.
  const missing = new Map(
    names.toReversed().flatMap((name) => (known.has(foldText(name)) ? [] : [[foldText(name), name]])),
  )
  if (missing.size === 0) return known
  await addTags(ctx, [...missing.values()])
  return listTagIds(ctx.db)
}

const FIELDS = entriesIn(COLUMN_OF)

function newOf({ line, content }: GoodLine): NewContact {
  const { number = null, extra } = content
  const values: Record<string, unknown> = { extra_info: extraOf([], extra) }
  for (const [field, column] of FIELDS) values[column] = content[field]
  values['name'] ??= formatPhone(number)
  return { line, number, values }
}
