import { type ColumnUse, isShared, ownFieldOf } from '#domain/contacts/columns.ts'
import type { Encoding } from '#domain/contacts/letters.ts'
import type { Returned } from '#kit/contract.ts'
import { fail, required } from '#kit/errors.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { Actor } from '#server/actors.ts'
import { type Ctx, reading, unit } from '#server/context.ts'
import { storeUpload } from '#server/files/store.ts'
import type { Download } from '#server/http/download.ts'
import { implement, type SlowCtx } from '#server/http/route.ts'
import { tableFile } from '#server/sheet.ts'
import type { StoredFile } from '#server/storage.ts'
import { contactImports } from '../../imports-contract.ts'
import { onlyFor } from '../list.ts'
import { countTags, countUsers } from '../queries.ts'
import { findChannels } from '../queries-checks.ts'
import { listFields } from '../queries-fields.ts'
import { changedBy } from './changed.ts'
import type { ImportOptions } from './decide.ts'
import { exportContacts } from './export.ts'
import { enqueueImport } from './job.ts'
import {
  findImport,
  hasChanges,
  insertImport,
  listImports,
  lockImport,
  rejectedRows,
  type StoredColumn,
  type StoredImport,
  saveImport,
} from './queries.ts'

type UserCtx = Ctx & { user: Actor }
type Wish = Pick<ImportOptions, 'onDuplicate' | 'tags' | 'wallets' | 'addTags'> & { encoding?: Encoding | undefined }

const SHOWN = 20
const FIRST_REJECTED = 10
const PAGE = 1000

const KIND_OF: Readonly<Record<string, 'csv' | 'xlsx' | 'vcf'>> = {
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
}

/** Route handlers of contact imports and the export. */
export const importRoutes = implement(contactImports, {
  upload: (ctx, { body, files }) =>
    upload(ctx, body, files[0] ?? fail('ERR_VALIDATION', { file: 'Escolha um arquivo.' })),
  list: async ({ db }) => ({ imports: (await listImports(db, SHOWN)).map(serialize) }),
  get: async ({ db }, { params }) => {
    const found = required(await findImport(db, params.id), 'ERR_NO_IMPORT_FOUND')
    const { onDuplicate, tags, wallets, addTags } = found.options
    const rejected = await rejectedRows(db, params.id, 0, FIRST_REJECTED)
    return {
      ...serialize(found),
      ...{ columns: found.columns.map(({ samples, ...one }) => ({ ...one, samples: [...samples] })) },
      ...{ onDuplicate, addTags, tags: [...tags], wallets: [...wallets] },
      letters: found.letters && {
        ...found.letters,
        candidates: found.letters.candidates.map((one) => ({ ...one, samples: [...one.samples] })),
      },
      mayUndo: found.status !== 'running' && (await hasChanges(db, params.id)),
      firstRejected: rejected.map(({ line, problems }) => ({ line, problems })),
    }
  },
  check: async (ctx, { params, body: { columns, ...wish } }) => {
    const found = await lockedAt(ctx, params.id, ({ phase }) => phase === 'check')
    const options = await optionsFor(ctx, { ...wish, encoding: wish.encoding ?? found.options.encoding })
    const stored = columns ? await columnsFor(ctx, found, columns) : []
    await saveImport(ctx.db, found.id, {
      ...{ columns: JSON.stringify(stored), options: JSON.stringify(options), is_dry_run: true },
      ...{ status: 'running', problem: '', ended_at: null },
    })
    enqueueImport(ctx, found.id)
    return { id: found.id }
  },
  run: async (ctx, { params, body: { source } }) => {
    const found = await lockedAt(ctx, params.id, ({ phase, status }) => phase === 'check' && status === 'done')
    await saveImport(ctx.db, found.id, {
      ...{ is_dry_run: false, phase: 'run', status: 'running', done_row: 0, done: 0, ended_at: null },
      options: JSON.stringify({ ...found.options, source }),
    })
    enqueueImport(ctx, found.id)
    ctx.audit({ target: { file: found.name, contacts: found.created + found.updated, source } })
    return { id: found.id }
  },
  cancel: async (ctx, { params }) => {
    const found = required(await lockImport(ctx.db, params.id), 'ERR_NO_IMPORT_FOUND')
    if (found.status === 'running') await saveImport(ctx.db, found.id, { status: 'canceled', ended_at: ctx.now })
    return { id: found.id }
  },
  rejected: (ctx, { params }) => rejectedFile(ctx, params.id),
  changes: (ctx, { params, query }) => changedBy(ctx, params.id, query),
  undo: async (ctx, { params }) => {
    const found = await lockedAt(ctx, params.id, () => true)
    if (!(await hasChanges(ctx.db, found.id))) fail('ERR_IMPORT_STATE')
    await saveImport(ctx.db, found.id, { phase: 'undo', status: 'running', problem: '', ended_at: null })
    enqueueImport(ctx, found.id)
    return { id: found.id }
  },
  syncContacts: (ctx, { body }) => startSync(ctx, 'contacts', body.whatsappId),
  syncGroups: (ctx, { body }) => startSync(ctx, 'groups', body.whatsappId),
  export: (ctx, { body }) => exportContacts(ctx, body),
})

/** Returns an import's columns with the uses of the request; throws 400 for an impossible use. */
async function columnsFor(ctx: Ctx, found: StoredImport, columns: readonly ColumnUse[]): Promise<StoredColumn[]> {
  if (columns.length !== found.columns.length)
    fail('ERR_VALIDATION', { columns: 'Diga de cada coluna para que serve.' })
  const used = columns.filter((use) => use !== null && use !== 'extra' && !isShared(use))
  if (new Set(used).size < used.length) fail('ERR_VALIDATION', { columns: 'Cada campo pode vir de uma coluna só.' })
  if (!(['name', 'firstName', 'number'] as const).some((use) => columns.includes(use)))
    fail('ERR_VALIDATION', { columns: 'Escolha a coluna do nome ou a do número.' })
  const own = new Set((await listFields(ctx.db)).map(({ id }) => id))
  if (used.some((use) => ownFieldOf(use) !== null && !own.has(ownFieldOf(use)!)))
    fail('ERR_VALIDATION', { columns: 'Um dos campos escolhidos não existe mais.' })
  return found.columns.map((one, at): StoredColumn => ({ ...one, use: columns[at]! }))
}

/** Locks and returns an import in the required state; throws otherwise. */
async function lockedAt(ctx: Ctx, id: string, isRight: (found: StoredImport) => boolean): Promise<StoredImport> {
  const found = required(await lockImport(ctx.db, id), 'ERR_NO_IMPORT_FOUND')
  return found.status !== 'running' && isRight(found) ? found : fail('ERR_IMPORT_STATE')
}

async function optionsFor(
  ctx: UserCtx,
  { onDuplicate, tags, wallets, addTags, encoding }: Wish,
): Promise<ImportOptions> {
  const [ownTags, ownWallets] = [[...new Set(tags)], [...new Set(wallets)]]
  if ((await countTags(ctx.db, ownTags)) < ownTags.length) fail('ERR_NO_TAG_FOUND')
  if ((await countUsers(ctx.db, ownWallets)) < ownWallets.length) fail('ERR_NO_USER_FOUND')
  return {
    onDuplicate,
    tags: ownTags,
    wallets: ownWallets,
    addTags,
    onlyFor: onlyFor(ctx),
    ...(encoding ? { encoding } : {}),
  }
}

function upload(
  { platform, tenantId, user }: SlowCtx,
  { dryRun, source, ...wish }: Wish & { dryRun: boolean; source: string },
  file: StoredFile,
) {
  const kind = KIND_OF[file.mime] ?? kindByName(file)
  return unit(platform, { tenantId, user }, async (base) => {
    const ctx = { ...base, user }
    const options = await optionsFor(ctx, wish)
    const [id, fileId] = [ctx.newId(), await storeUpload(ctx, file)]
    await insertImport(ctx.db, {
      ...{
        id,
        kind,
        user_id: user.id,
        file_id: fileId,
        name: file.name,
        options: JSON.stringify({ ...options, source }),
      },
      ...{ is_dry_run: dryRun, phase: 'check', status: 'running', created_at: ctx.now },
    })
    enqueueImport(ctx, id)
    return { id }
  })
}

function kindByName({ mime, name }: StoredFile): 'csv' | 'vcf' {
  if (!mime.startsWith('text/')) return fail('ERR_FILE_TYPE', { file: 'Envie um arquivo CSV, XLSX ou VCF.' })
  return mime === 'text/vcard' || /\.vcf$/i.test(name) ? 'vcf' : 'csv'
}

async function startSync(ctx: UserCtx, kind: 'contacts' | 'groups', connectionId: number) {
  const [connection] = await findChannels(ctx.db, connectionId)
  if (!connection) return fail('ERR_NO_WAPP_FOUND')
  const able = capabilitiesOf(connection.type)
  if (!(kind === 'contacts' ? able.addressBook : able.groups)) fail('ERR_CHANNEL_CANNOT')
  if (connection.status !== 'CONNECTED') fail('ERR_WAPP_NOT_INITIALIZED')
  const id = ctx.newId()
  const options = await optionsFor(ctx, { onDuplicate: 'skip', tags: [], wallets: [], addTags: false })
  await insertImport(ctx.db, {
    ...{
      id,
      kind,
      user_id: ctx.user.id,
      connection_id: connectionId,
      name: connection.name,
      options: JSON.stringify(options),
    },
    ...{ is_dry_run: false, phase: 'run', status: 'running', created_at: ctx.now },
  })
  enqueueImport(ctx, id)
  return { id }
}

async function rejectedFile(ctx: SlowCtx, id: string): Promise<Download> {
  const { platform } = ctx
  const found = await reading(platform, ctx, async ({ db }) =>
    required(await findImport(db, id), 'ERR_NO_IMPORT_FOUND'),
  )
  async function* rows() {
    yield ['linha', 'motivo', ...found.columns.map(({ title }) => title)]
    for (let after = 0; ; ) {
      const page = await reading(platform, ctx, ({ db }) => rejectedRows(db, id, after, PAGE))
      for (const { line, problems, cells } of page) yield [String(line), problems.join(' '), ...cells]
      if (page.length < PAGE) return
      after = page.at(-1)!.line
    }
  }
  return tableFile('csv', { name: `${found.name.replace(/\.\w+$/, '')}-recusadas` }, rows())
}

function serialize(row: StoredImport): Returned<typeof contactImports.list>['imports'][number] {
  const { id, name, problem, total, created, updated, unchanged, rejected, done, restored, skipped } = row
  return {
    ...{ id, name, problem, total, created, updated, unchanged, rejected, done, restored, skipped },
    kind: row.kind,
    dryRun: row.is_dry_run,
    phase: row.phase,
    status: row.status,
    userName: row.user_name,
    createdAt: row.created_at,
    endedAt: row.ended_at,
  }
}
