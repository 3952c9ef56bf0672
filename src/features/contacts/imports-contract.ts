import { z } from 'zod'
import { CONTACT_FIELDS, type OwnColumn } from '#domain/contacts/columns.ts'
import { ENCODINGS } from '#domain/contacts/letters.ts'
import { keysIn } from '#domain/keys.ts'
import { contract, type Returned } from '#kit/contract.ts'
import { formFlag, id, isoTime, pageQuery, text, uuid } from '#kit/fields.ts'
import { change, contactFilter } from './contract.ts'
import * as at from './imports-addresses.ts'

/** A field, one of the company's own as `field:12`, `tags`: names of tags, or `extra`: kept under its own title. */
const columnUse = z
  .union([
    z.enum([...keysIn(CONTACT_FIELDS), 'tags', 'extra']),
    z.string().regex(/^field:\d{1,15}$/) as unknown as z.ZodType<OwnColumn, OwnColumn>,
  ])
  .nullable()

/** Ids in a form are one text: `1,2`. */
const formIds = z.preprocess(
  (value) => (typeof value === 'string' ? value.split(',').filter(Boolean) : value),
  z.array(id).max(50, 'Escolha no máximo 50.').default([]),
)

/** How people of the list agreed to get marketing, kept as evidence of their consent; empty: they did not. */
const source = text(300).default('')

const options = {
  /** Who is there already: their fields are changed to what the file says, or they stay as they are. */
  onDuplicate: z.enum(['update', 'skip']).default('update'),
  tags: formIds,
  wallets: formIds,
  /** Tags and wallets are added to what a contact has, instead of taking its place. */
  addTags: formFlag,
  /** How the letters of a CSV or VCF file are read; without it as they are likeliest, or as was said before. */
  encoding: z.enum(ENCODINGS, 'Escolha uma das codificações da lista.').optional(),
}

const params = z.object({ id: uuid })

const column = z.object({
  title: z.string(),
  use: columnUse,
  /** What stands in it in the first lines. */
  samples: z.array(z.string()),
})

/** How an import is; the four counts sum to `total` once the check is over. */
const importRow = z.object({
  id: uuid,
  /** A file, or what a channel knows: its contacts or groups. */
  kind: z.enum(['csv', 'xlsx', 'vcf', 'contacts', 'groups']),
  /** How the file, or the connection, is called. */
  name: z.string(),
  dryRun: z.boolean(),
  /** What is done, or was last: lines are compared with what is there, contacts are written, or taken back. */
  phase: z.enum(['check', 'run', 'undo']),
  status: z.enum(['running', 'done', 'canceled', 'failed']),
  /** Why it failed, for people. */
  problem: z.string(),
  total: z.number().int(),
  created: z.number().int(),
  updated: z.number().int(),
  unchanged: z.number().int(),
  rejected: z.number().int(),
  /** So many of those that are to be created and updated are. */
  done: z.number().int(),
  /** Of an undo: so many contacts are as before, so many stayed as somebody has made them since. */
  restored: z.number().int(),
  skipped: z.number().int(),
  userName: z.string().nullable(),
  createdAt: isoTime,
  endedAt: isoTime.nullable(),
})

/** An import with what its screen shows. */
const importDetail = importRow.extend({
  columns: z.array(column),
  onDuplicate: z.enum(['update', 'skip']),
  tags: z.array(z.number().int()),
  wallets: z.array(z.number().int()),
  addTags: z.boolean(),
  /**
   * How the letters of a text file are read that is no UTF-8 or UTF-16, and how they might be read instead, each with
   * cells of the file; while they are doubtful nothing is imported by itself.
   */
  letters: z
    .object({
      encoding: z.enum(ENCODINGS),
      isDoubtful: z.boolean(),
      candidates: z.array(z.object({ encoding: z.enum(ENCODINGS), samples: z.array(z.string()) })),
    })
    .nullable(),
  /** Whether anything is there that could be taken back. */
  mayUndo: z.boolean(),
  /** The first rejected lines, numbered as a spreadsheet does (header = 1), with why. */
  firstRejected: z.array(z.object({ line: z.number().int(), problems: z.array(z.string()) })),
})

const started = z.object({ id: uuid })

/** Contacts that come in from files and channels, and go out as a file. */
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
      /** Without it, what their titles say. */
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

/** An import, as a browser reads it. */
export type ContactImport = z.output<typeof importRow>
/** An import with its columns, as a browser reads it. */
export type ContactImportDetail = Returned<typeof contactImports.get>

declare module '#kit/contract.ts' {
  interface Contracts {
    contactImports: typeof contactImports
  }
}
