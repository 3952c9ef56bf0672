import { z } from 'zod'
import { type TableAddress, tableAddresses } from './addresses.ts'
import { contract } from './contract.ts'
import type { ErrorCode } from './errors.ts'
import { events } from './events.ts'
import { type Field, type FieldValue, kindOf, schemaOf, startOf } from './fields/kinds.ts'
import { rowId } from './fields/reference.ts'
import { done, flag, id, isoTime, many, pageAnswer, pageQuery } from './fields.ts'
import type { Permission } from './permissions.ts'
import { rangeOf } from './range.ts'

/** Field of a plain table, of any kind that fits a column as it is. */
export type ResourceField = Exclude<Field, { kind: 'secret' | 'file' | 'references' }>

/** Plain table as one value, from which five endpoints, a list screen, a form, a picker and its tests are generated. */
export type ResourceSpec = TableAddress & {
  readonly table: string
  readonly title: string
  readonly singular: string
  readonly gender: 'm' | 'f'
  readonly fields: Readonly<Record<string, ResourceField>>
  readonly search: readonly string[]
  /** Sort field of the rows; with the kind `order`, users arrange the rows manually. */
  readonly order: string
  readonly notFound: ErrorCode
  readonly inUse?: ErrorCode
}

/** Table and fields of a list of rows; a table of the whole installation (`ofPlatform`) belongs to no company. */
export type TableSpec = Pick<ResourceSpec, 'table' | 'fields' | 'search' | 'order'> & { readonly ofPlatform?: true }

/** Title of a table on its screen, with its fields. */
export type ListedSpec = Pick<ResourceSpec, 'title' | 'singular' | 'gender' | 'fields' | 'order'>

const orderedIds = z
  .array(rowId)
  .min(1, 'Escolha ao menos um.')
  .max(500, 'No máximo 500.')
  .refine((ids) => new Set(ids).size === ids.length, 'Cada registro só uma vez.')

const codes = (...all: ErrorCode[]): readonly ErrorCode[] => all

type Fields<S extends ResourceSpec> = S['fields']
type Row<S extends ResourceSpec> = { id: number; createdAt: string; updatedAt: string } & {
  -readonly [K in keyof Fields<S>]: FieldValue<Fields<S>[K]>
}

/** Returns the query parameters that filter by a field: any of its values (`cor=a&cor=b`), or `precoFrom` and `precoTo`. */
function filterOf(key: string, field: ResourceField): Record<string, z.ZodType> {
  const { filter, schema, isNumber } = kindOf(field)
  const one = isNumber ? z.coerce.number<number | string>() : schema({ ...field, required: true })
  if (filter === 'range') return Object.fromEntries(rangeOf(key).map((end) => [end, one.optional()]))
  if (filter !== 'values') throw new Error(`a field of the kind ${field.kind} is no filter`)
  if (field.kind === 'boolean') return { [key]: many(z.enum(['true', 'false'])) }
  return { [key]: many(field.kind === 'reference' ? id : one) }
}

/** Whether the rows of a table are put in order by hand. */
export const isByHand = ({ fields, order }: Pick<ResourceSpec, 'fields' | 'order'>): boolean =>
  fields[order]?.kind === 'order'

/** Returns the query schema of a table's list: page, search, sort field, and the filters of its fields. */
export function listQuery(spec: Pick<TableSpec, 'fields'>): typeof pageQuery
export function listQuery({ fields }: Pick<TableSpec, 'fields'>): z.ZodObject {
  const entries = Object.entries(fields)
  const sortable = entries.filter(([, field]) => kindOf(field).sort).map(([key]) => key)
  return pageQuery.extend({
    sort: z.enum(sortable).optional(),
    down: flag,
    ...Object.assign({}, ...entries.filter(([, { filter }]) => filter).map(([key, field]) => filterOf(key, field))),
  })
}

// What is required has no default; the type of a body lets it be left out, as what reads it says so.
type Value<F extends Field> = z.ZodType<FieldValue<F>, FieldValue<F>>
type RowSchemas<R, C, U> = { readonly row: z.ZodType<R, R>; readonly create: C; readonly update: U }
type SchemasOf<S extends ResourceSpec> = RowSchemas<
  Row<S>,
  z.ZodObject<{ -readonly [K in keyof Fields<S>]: z.ZodDefault<Value<Fields<S>[K]>> }>,
  z.ZodObject<{ -readonly [K in keyof Fields<S>]: z.ZodOptional<Value<Fields<S>[K]>> }>
>

/** Builds the schemas of a row, of what makes one, and of what changes one. */
function schemasOf<S extends ResourceSpec>(spec: S): SchemasOf<S>
function schemasOf({ fields }: ResourceSpec): RowSchemas<unknown, z.ZodObject, z.ZodObject> {
  const entries = Object.entries(fields).map(([key, field]) => ({ key, field, schema: schemaOf(field) }))
  const shape = Object.fromEntries(entries.map(({ key, schema }) => [key, schema]))
  const started = entries.map(({ key, field, schema }) => {
    return [key, field.required && field.default === undefined ? schema : schema.default(startOf(field))] as const
  })
  const optional = entries.map(({ key, schema }) => [key, schema.optional()] as const)
  return {
    row: z.object({ id: z.number().int(), ...shape, createdAt: isoTime, updatedAt: isoTime }),
    create: z.strictObject(Object.fromEntries(started)),
    update: z.strictObject(Object.fromEntries(optional)),
  }
}

/** Builds the endpoints of a plain table, with its description for the list screen and the form. */
export function resource<const S extends ResourceSpec>(spec: S) {
  const { row, create, update } = schemasOf(spec)
  const list = z.object({ items: z.array(row), ...pageAnswer })
  const { arrange, ...ops } = contract(tableAddresses<string, string, Permission, Permission>(spec), {
    list: {
      summary: `Lista de ${spec.title}`,
      query: listQuery(spec),
      returns: list,
      errors: codes('ERR_PAGE_TOO_FAR'),
    },
    get: { summary: `${spec.singular}: um registro`, returns: row, errors: codes(spec.notFound) },
    create: {
      summary: `${spec.singular}: criar`,
      body: create,
      returns: row,
      errors: codes('ERR_DUPLICATED'),
      audit: true,
    },
    update: {
      summary: `${spec.singular}: alterar`,
      body: update,
      returns: row,
      errors: codes(spec.notFound, 'ERR_DUPLICATED'),
      audit: true,
    },
    remove: {
      summary: `${spec.singular}: excluir`,
      returns: done,
      errors: codes(spec.notFound, ...(spec.inUse ? [spec.inUse] : [])),
      audit: true,
    },
    arrange: {
      summary: `${spec.title}: ordenar; os registros trocam entre si os lugares que têm`,
      body: z.strictObject({ ids: orderedIds }),
      returns: done,
      errors: codes(spec.notFound),
      audit: true,
    },
  })
  const { changed } = events(
    { changed: { channel: spec.name, type: `${spec.name}:changed`, durable: true } },
    { changed: z.object({ id: z.number().int(), action: z.enum(['create', 'update', 'delete']) }) },
  )
  return { spec, ops, arrange: isByHand(spec) ? arrange : undefined, row, changed }
}

/** Result of `resource()`; `changed` is sent to all users of the tenant and has no payload. */
export type Resource = Pick<ReturnType<typeof resource<ResourceSpec>>, 'ops' | 'arrange' | 'changed'> & {
  readonly spec: ResourceSpec
}
