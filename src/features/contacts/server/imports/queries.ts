import { type Insertable, type RawBuilder, sql, type Updateable } from 'kysely'
import type { DB } from '#db/types.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { type CompanyRemoval, removed } from '#server/db/removal.ts'
import type { Forgetting } from '#server/forgetting.ts'
import type { ImportOptions } from './decide.ts'
import type { Letters } from './letters.ts'
import type { Column, Image, RowContent } from './rows.ts'

/** Stored row of an import. */
export type StoredImport = Awaited<ReturnType<typeof listImports>>[number]
/** Stored column, with its values in the first lines. */
export type StoredColumn = Column & { readonly samples: readonly string[] }

const imports = (db: Queryable) =>
  db
    .selectFrom('contact_imports as i')
    .leftJoin('users as u', (join) => join.onRef('u.tenant_id', '=', 'i.tenant_id').onRef('u.id', '=', 'i.user_id'))
    .leftJoin('files as f', (join) => join.onRef('f.tenant_id', '=', 'i.tenant_id').onRef('f.id', '=', 'i.file_id'))
    .leftJoin('connections as c', (join) =>
      join.onRef('c.tenant_id', '=', 'i.tenant_id').onRef('c.id', '=', 'i.connection_id'),
    )
    .selectAll('i')
    .select(['u.name as user_name', 'f.path', 'c.type as channel', sql<ImportOptions>`i.options`.as('options')])
    .select(sql<readonly StoredColumn[]>`i.columns`.as('columns'))
    .select(sql<Letters | null>`i.letters`.as('letters'))

/** Returns the newest imports. */
export const listImports = (db: Queryable, most: number) =>
  imports(db).orderBy('i.created_at', 'desc').orderBy('i.id').limit(most).execute()

/** Returns one import. */
export const findImport = (db: Queryable, id: string): Promise<StoredImport | undefined> =>
  imports(db).where('i.id', '=', id).executeTakeFirst()

/** Returns one import, locked until the end of the transaction. */
export async function lockImport(db: Tx, id: string): Promise<StoredImport | undefined> {
  const locked = await db.selectFrom('contact_imports').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
  return locked && findImport(db, id)
}

/** Inserts an import. */
export async function insertImport(db: Tx, row: Omit<Insertable<DB['contact_imports']>, 'tenant_id'>): Promise<void> {
  await db
    .insertInto('contact_imports')
    .values({ tenant_id: sql`app.tenant()`, ...row })
    .execute()
}

/** Updates an import. */
export async function saveImport(db: Tx, id: string, values: Updateable<DB['contact_imports']>): Promise<void> {
  await db.updateTable('contact_imports').set(values).where('id', '=', id).execute()
}

/** Line to be written. */
export type GoodLine = { readonly line: number; readonly content: RowContent }
/** Rejected line: its cells and problems. */
export type RejectedLine = {
  readonly line: number
  readonly cells: readonly string[]
  readonly problems: readonly string[]
}

/** Deletes the outcomes of lines before a new check. */
export async function removeLines(db: Tx, importId: string): Promise<void> {
  await db.deleteFrom('contact_import_rows').where('import_id', '=', importId).execute()
  await db.deleteFrom('contact_import_blocks').where('import_id', '=', importId).execute()
}

/** Inserts rejected lines: a JSON list of `RejectedLine`. */
export async function insertRejected(db: Tx, importId: string, lines: string): Promise<void> {
  await sql`insert into contact_import_rows (tenant_id, import_id, line, cells, problems)
    select app.tenant(), ${importId}, g.line, g.cells, g.problems
    from jsonb_to_recordset(${lines}::jsonb) as g (line int, cells jsonb, problems jsonb)`.execute(db)
}

/** Block of an import: JSON list of the `GoodLine`s to write, and the contacts created from them; `line` is the first one. */
export type Block = { readonly line: number; readonly lines: string; readonly made: readonly number[] }

/** Inserts a block. */
export async function insertBlock(db: Tx, importId: string, { line, lines, made }: Block): Promise<void> {
  await sql`insert into contact_import_blocks (tenant_id, import_id, line, lines, made)
    values (app.tenant(), ${importId}, ${line}, ${lines}, ${[...made]}::bigint[])`.execute(db)
}

/** Returns the next block to write. */
export const nextBlock = (db: Queryable, importId: string, after: number) =>
  db
    .selectFrom('contact_import_blocks')
    .select(['line', sql<GoodLine[]>`lines`.as('lines')])
    .where('import_id', '=', importId)
    .where('line', '>', after)
    .orderBy('line')
    .limit(1)
    .executeTakeFirst()

/** Empties a written block's lines and stores the ids of the contacts that it created. */
export async function writtenBlock(db: Tx, importId: string, line: number, made: readonly number[]): Promise<void> {
  await db
    .updateTable('contact_import_blocks')
    .set({ lines: '[]', made: sql`${[...made]}::bigint[]` })
    .where('import_id', '=', importId)
    .where('line', '=', line)
    .execute()
}

/** Takes and deletes a block to undo; returns the contacts that it created, null if there is none left. */
export async function takeMade(db: Tx, importId: string): Promise<number[] | null> {
  const { rows } = await sql<{ made: number[] }>`
    delete from contact_import_blocks where tenant_id = app.tenant() and import_id = ${importId} and line = (
      select line from contact_import_blocks where import_id = ${importId} and made <> '{}' order by line limit 1)
    returning made`.execute(db)
  return rows[0]?.made ?? null
}

/** Returns the next rejected lines: cells and problems. */
export const rejectedRows = (db: Queryable, importId: string, after: number, most: number) =>
  db
    .selectFrom('contact_import_rows')
    .select(['line', sql<string[]>`cells`.as('cells'), sql<string[]>`problems`.as('problems')])
    .where('import_id', '=', importId)
    .where('line', '>', after)
    .orderBy('line')
    .limit(most)
    .execute()

/** Change of an existing contact. */
export type ImportChange = { readonly contactId: number; readonly before: Image; readonly after: Image }

/** Stores changes for the undo. */
export async function insertChanges(db: Tx, importId: string, changes: readonly ImportChange[]): Promise<void> {
  await sql`insert into contact_import_changes (tenant_id, import_id, contact_id, before, after)
    select app.tenant(), ${importId}, g."contactId", g.before, g.after
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as g ("contactId" bigint, before jsonb, after jsonb)
    on conflict do nothing`.execute(db)
}

/** Returns changed contacts of an import after an id, by id. */
export const listChanged = (
  db: Queryable,
  importId: string,
  { after, offset, limit }: { after: number; offset: number; limit: number },
) =>
  db
    .selectFrom('contact_import_changes as h')
    .innerJoin('contacts as c', (join) =>
      join.onRef('c.tenant_id', '=', 'h.tenant_id').onRef('c.id', '=', 'h.contact_id'),
    )
    .select(['h.contact_id', 'c.name', sql<Image>`h.before`.as('before'), sql<Image>`h.after`.as('after')])
    .where('h.import_id', '=', importId)
    .where('h.contact_id', '>', after)
    .orderBy('h.contact_id')
    .offset(offset)
    .limit(limit)
    .execute()

/** Takes and deletes some stored changes to undo. */
export async function takeChanges(db: Tx, importId: string, most: number): Promise<ImportChange[]> {
  const { rows } = await sql<ImportChange>`
    delete from contact_import_changes where tenant_id = app.tenant() and import_id = ${importId} and contact_id = any(array(
      select contact_id from contact_import_changes where import_id = ${importId} order by contact_id limit ${most}))
    returning contact_id as "contactId", before, after`.execute(db)
  return rows
}

/** Checks that an import has something to undo. */
export async function hasChanges(db: Queryable, importId: string): Promise<boolean> {
  const { rows } = await sql`
    select from contact_import_blocks where import_id = ${importId} and made <> '{}'
    union all select from contact_import_changes where import_id = ${importId} limit 1`.execute(db)
  return rows.length > 0
}

/** Returns which of the numbers belong to a contact. */
export async function takenNumbers(db: Queryable, numbers: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{
    number: string
  }>`select number from contacts where number = any(${[...numbers]}::text[])`.execute(db)
  return new Set(rows.map(({ number }) => number))
}

/** Erases a person from stored imports: values written to their contacts, and the rows that name them. */
export const forgetImports: Forgetting = async ({ db }, { contactIds, identifiers, fileIds }) => {
  const ids = sql`${[...contactIds]}::bigint[]`
  await sql`delete from contact_import_changes where contact_id = any(${ids})`.execute(db)
  await sql`update contact_import_blocks set made = array(select unnest(made) except select unnest(${ids}))
    where made && ${ids}`.execute(db)
  const named = (text: RawBuilder<string>) =>
    sql`exists (select from unnest(${[...identifiers]}::text[]) as w (word) where strpos(lower(${text}), lower(w.word)) > 0)`
  // Rejected lines hold numbers and documents as typed, with all punctuation.
  const digits = identifiers.map((one) => one.replace(/@.*/, '')).filter((one) => /^\d{8,}$/.test(one))
  const row = sql`(${named(sql`r.cells::text`)} or exists (select from unnest(${digits}::text[]) as w (word),
    jsonb_array_elements_text(r.cells) as c (cell) where strpos(regexp_replace(c.cell, '\\D', '', 'g'), right(w.word, 8)) > 0))`
  const block = named(sql`b.lines::text`)
  // Unwritten files and samples may name anyone, so the file has to be uploaded again.
  const { rows: files } = await sql<{ fileId: string }>`
    select file_id as "fileId" from contact_imports where file_id is not null for update`.execute(db)
  fileIds.push(...files.map(({ fileId }) => fileId))
  await sql`update contact_imports i set file_id = null, letters = null,
    columns = (select coalesce(jsonb_agg(c || '{"samples": []}'), '[]') from jsonb_array_elements(i.columns) c)
    where i.columns <> '[]' or i.file_id is not null`.execute(db)
  await sql`delete from contact_import_rows r where ${row}`.execute(db)
  await sql`update contact_import_blocks b set lines = (select coalesce(jsonb_agg(l), '[]')
      from jsonb_array_elements(b.lines) l where not ${named(sql`(l -> 'content')::text`)})
    where ${block}`.execute(db)
}

/** Deletes imports that ended long ago; they can no longer be undone. */
export const removeImports: CompanyRemoval = (db, before, most, tenantId) =>
  removed(
    db,
    sql`delete from contact_imports where tenant_id = ${tenantId} and id in (
      select id from contact_imports where tenant_id = ${tenantId} and created_at < ${before} and status <> 'running' limit ${most})`,
  )

/** Updates the statistics of contacts, without which a tenant with many new contacts is slow to read. */
export const analyzeContacts = (db: Tx): Promise<unknown> => sql`select app.analyze_contacts()`.execute(db)
