import { z } from 'zod'
import { CONTACT_FIELDS, type OwnColumn } from '#domain/contacts/columns.ts'
import { ENCODINGS } from '#domain/contacts/letters.ts'
import { keysIn } from '#domain/keys.ts'
import { contract, type Returned } from '#kit/contract.ts'
import { formFlag, id, isoTime, pageQuery, text, uuid } from '#kit/fields.ts'
import { change, contactFilter } from './contract.ts'
import * as at from './imports-addresses.ts'

/**
 * Target of a column: a contact field, a custom field as `field:12`, `tags` (names of tags), or `extra` (additional info
 * under the column's title).
 */
const columnUse = z
  .union([
    z.enum([...keysIn(CONTACT_FIELDS), 'tags', 'extra']),
    z.string().regex(/^field:\d{1,15}$/) as unknown as z.ZodType<OwnColumn, OwnColumn>,
  ])
  .nullable()

/** Ids in form data: one text such as `1,2`. */
const formIds = z.preprocess(
  (value) => (typeof value === 'string' ? value.split(',').filter(Boolean) : value),
  z.array(id).max(50, 'Escolha no máximo 50.').default([]),
)

/** How the people of the list agreed to marketing, stored as evidence of consent; empty: they did not. */
const source = text(300).default('')

const options = {
  /** Existing contacts: update their fields from the file, or skip them. */
  onDuplicate: z.enum(['update', 'skip']).default('update'),
  tags: formIds,
  wallets: formIds,
  /** Adds tags and wallets to the contact's own instead of replacing them. */
  addTags: formFlag,
  /** Text encoding of a CSV or VCF file; defaults to the earlier choice, else the most likely one. */
  encoding: z.enum(ENCODINGS, 'Escolha uma das codificações da lista.').optional(),
}

const params = z.object({ id: uuid })

const column = z.object({
  title: z.string(),
  use: columnUse,
  /** Values of the column in the first lines. */
  samples: z.array(z.string()),
})

/** Schema of an import; once checked, its four counts sum to `total`. */
const importRow = z.object({
  id: uuid,
  /** File format, or the contacts or groups of a channel. */
  kind: z.enum(['csv', 'xlsx', 'vcf', 'contacts', 'groups']),
  /** Name of the file or connection. */
  name: z.string(),
  dryRun: z.boolean(),
  /** Current or last phase: comparing lines with contacts, writing contacts, or undoing. */
  phase: z.enum(['check', 'run', 'undo']),
  status: z.enum(['running', 'done', 'canceled', 'failed']),
  /** Reason of the failure, for people. */
  problem: z.string(),
  total: z.number().int(),
  created: z.number().int(),
  updated: z.number().int(),
  unchanged: z.number().int(),
  rejected: z.number().int(),
  /** Number of contacts created and updated so far. */
  done: z.number().int(),
  /** Of an undo: number of contacts restored, and of those skipped because they were changed since. */
  restored: z.number().int(),
  skipped: z.number().int(),
  userName: z.string().nullable(),
  createdAt: isoTime,
  endedAt: isoTime.nullable(),
})

/** Schema of an import with everything that its screen shows. */
const importDetail = importRow.extend({
  columns: z.array(column),
  onDuplicate: z.enum(['update', 'skip']),
  tags: z.array(z.number().int()),
  wallets: z.array(z.number().int()),
  addTags: z.boolean(),
  /**
   * Encoding of a text file that is neither UTF-8 nor UTF-16, and the candidates, each with sample cells; while it is
   * doubtful nothing is imported automatically.
   */
  letters: z
    .object({
      encoding: z.enum(ENCODINGS),
      isDoubtful: z.boolean(),
      candidates: z.array(z.object({ encoding: z.enum(ENCODINGS), samples: z.array(z.string()) })),
    })
    .nullable(),
  /** True if there is anything to undo. */
  mayUndo: z.boolean(),
  /** First rejected lines, numbered as in a spreadsheet (header = 1), with their problems. */
  firstRejected: z.array(z.object({ line: z.number().int(), problems: z.array(z.string()) })),
})

const started = z.object({ id: uuid })

/** API contract of contact imports from files and channels, and of the export. */
export const contactImports = contract(at.contactImports, {
  upload: {
    summary:
      'Importar contatos de um arquivo CSV, XLSX ou VCF; com dryRun só confere, e também onde as letras são duvidosas (letters) sem encoding',
    mode: 'slow',
    body: z.strictObject({ dryRun: formFlag, source, ...options }),
    returns: started,
    errors: ['ERR_FILE_TYPE', 'ERR_FILE_TOO_LARGE', 'ERR_NO_TAG_FOUND', 'ERR_NO_USER_FOUND'],
    audit: true,
  },
  list: {
    summary: 'As últimas importações de contatos',
    returns: z.object({ imports: z.array(importRow) }),
  },
  get: {
    summary: 'Uma importação: colunas, andamento, números e as primeiras linhas recusadas',
    params,
    returns: importDetail,
    errors: ['ERR_NO_IMPORT_FOUND'],
  },
  check: {
    summary:
      'Conferir o arquivo de novo, com outro uso das colunas (uma entrada para cada coluna) ou outra leitura das letras',
    params,
    body: z.strictObject({
      /** Defaults to the columns' titles. */
      columns: z.array(columnUse).max(200).optional(),
      ...options,
    }),
    returns: started,
    errors: ['ERR_NO_IMPORT_FOUND', 'ERR_IMPORT_STATE', 'ERR_NO_TAG_FOUND', 'ERR_NO_USER_FOUND'],
    audit: true,
  },
  run: {
    summary: 'Importar o que foi conferido; com a origem do consentimento, quem entra aceita marketing',
    params,
    body: z.strictObject({ source }).prefault({}),
    returns: started,
    errors: ['ERR_NO_IMPORT_FOUND', 'ERR_IMPORT_STATE'],
    audit: true,
  },
  cancel: {
    summary: 'Parar uma importação; o que já entrou fica, e ainda pode ser desfeito',
    params,
    body: z.strictObject({}).prefault({}),
    returns: started,
    errors: ['ERR_NO_IMPORT_FOUND'],
    audit: true,
  },
  rejected: {
    summary: 'As linhas recusadas como CSV: linha do arquivo (cabeçalho = 1), motivo e as colunas como vieram',
    mode: 'slow',
    params,
    returns: z.unknown(),
    errors: ['ERR_NO_IMPORT_FOUND'],
    audit: true,
  },
  changes: {
    summary: 'Os contatos que uma importação mudou, com o que cada campo era e ficou',
    params,
    query: pageQuery,
    returns: z.object({
      contacts: z.array(
        z.object({
          id: z.number().int(),
          name: z.string(),
          changes: z.array(change.pick({ field: true, name: true, before: true, after: true })),
        }),
      ),
      hasMore: z.boolean(),
      nextCursor: z.string().nullable(),
    }),
    errors: ['ERR_NO_IMPORT_FOUND', 'ERR_PAGE_TOO_FAR'],
  },
  undo: {
    summary: 'Desfazer uma importação; o que mudou desde então fica como está',
    params,
    body: z.strictObject({}).prefault({}),
    returns: started,
    errors: ['ERR_NO_IMPORT_FOUND', 'ERR_IMPORT_STATE'],
    audit: true,
  },
  syncContacts: {
    summary: 'Trazer os contatos que um canal conhece; quem já está cadastrado fica como está',
    body: z.strictObject({ whatsappId: id }),
    returns: started,
    errors: ['ERR_NO_WAPP_FOUND', 'ERR_CHANNEL_CANNOT', 'ERR_WAPP_NOT_INITIALIZED'],
    audit: true,
  },
  syncGroups: {
    summary: 'Trazer os grupos em que um canal está',
    body: z.strictObject({ whatsappId: id }),
    returns: started,
    errors: ['ERR_NO_WAPP_FOUND', 'ERR_CHANNEL_CANNOT', 'ERR_WAPP_NOT_INITIALIZED'],
    audit: true,
  },
  export: {
    summary: 'Exportar os contatos que busca e filtros deixam passar; o arquivo é enviado enquanto é feito',
    mode: 'slow',
    body: z.strictObject({ ...contactFilter.shape, format: z.enum(['csv', 'xlsx', 'vcf']).default('csv') }),
    returns: z.unknown(),
    audit: true,
  },
})

/** Import as the browser gets it. */
export type ContactImport = z.output<typeof importRow>
/** Import with its columns as the browser gets it. */
export type ContactImportDetail = Returned<typeof contactImports.get>

declare module '#kit/contract.ts' {
  interface Contracts {
    contactImports: typeof contactImports
  }
}
