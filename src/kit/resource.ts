import { z } from 'zod'
import { contract } from './contract.ts'
import type { ErrorCode } from './errors.ts'
import { events } from './events.ts'
import { color, done, idParams, isoTime, pageAnswer, pageQuery, text } from './fields.ts'
import type { Permission } from './permissions.ts'

/** One field of a plain table: how it is stored, checked, listed and edited. */
export type ResourceField = {
  readonly label: string
  readonly kind: 'text' | 'longtext' | 'color' | 'boolean'
  readonly column?: string
  readonly hint?: string
  readonly required?: boolean
  readonly max?: number
  readonly default?: string | boolean
  readonly inList?: boolean
}

/** A plain table as one value: five endpoints, a list screen, a form, a picker and its tests come from it. */
export type ResourceSpec = {
  readonly name: string
  readonly path: string
  readonly table: string
  readonly title: string
  readonly singular: string
  readonly gender: 'm' | 'f'
  readonly fields: Readonly<Record<string, ResourceField>>
  readonly search: readonly string[]
  readonly order: string
  readonly can: { readonly read: Permission; readonly write: Permission }
  readonly notFound: ErrorCode
  readonly inUse?: ErrorCode
}

const codes = (...all: ErrorCode[]): readonly ErrorCode[] => all

const fieldSchema = (field: ResourceField): z.ZodType => {
  if (field.kind === 'boolean') return z.boolean()
  if (field.kind === 'color') return color
  return text(field.max ?? 255, field.required ? 1 : 0)
}

// For a resource that is not known more closely: any value of its row, the id included.
type FieldValue<F extends ResourceField> = F['kind'] extends 'boolean'
  ? boolean
  : 'boolean' extends F['kind']
    ? string | number | boolean
    : string
type Fields<S extends ResourceSpec> = S['fields']
type Row<S extends ResourceSpec> = { id: number; createdAt: string; updatedAt: string } & {
  -readonly [K in keyof Fields<S>]: FieldValue<Fields<S>[K]>
}
type Create<S extends ResourceSpec> = { -readonly [K in keyof Fields<S>]?: FieldValue<Fields<S>[K]> }

/** Builds the endpoints and keeps the description, which the list screen and the form read. */
export function resource<const S extends ResourceSpec>(spec: S) {
  const entries = Object.entries(spec.fields)
  const shape = Object.fromEntries(entries.map(([key, field]) => [key, fieldSchema(field)]))
  const row = z.object({
    id: z.number().int(),
    ...shape,
    createdAt: isoTime,
    updatedAt: isoTime,
  }) as unknown as z.ZodType<Row<S>, Row<S>>
  const create = z.strictObject(
    Object.fromEntries(
      entries.map(([key, field]) => {
        const schema = shape[key] as z.ZodType
        if (field.default !== undefined) return [key, schema.default(field.default)]
        return [key, field.required ? schema : schema.default('')]
      }),
    ),
  ) as unknown as z.ZodType<Create<S>, Create<S>>
  const update = z.strictObject(
    Object.fromEntries(entries.map(([key]) => [key, (shape[key] as z.ZodType).optional()])),
  ) as unknown as z.ZodType<Create<S>, Create<S>>
  const list = z.object({ items: z.array(row), ...pageAnswer })
  const touches = [spec.name]
  const ops = contract(spec.name, {
    list: {
      method: 'GET',
      path: spec.path,
      summary: `Lista de ${spec.title}`,
      can: spec.can.read,
      query: pageQuery,
      returns: list,
      errors: codes('ERR_PAGE_TOO_FAR'),
    },
    get: {
      method: 'GET',
      path: `${spec.path}/:id`,
      summary: `${spec.singular}: um registro`,
      can: spec.can.read,
      params: idParams,
      returns: row,
      errors: codes(spec.notFound),
    },
    create: {
      method: 'POST',
      path: spec.path,
      summary: `${spec.singular}: criar`,
      can: spec.can.write,
      body: create,
      returns: row,
      errors: codes('ERR_DUPLICATED'),
      touches,
      audit: true,
    },
    update: {
      method: 'PUT',
      path: `${spec.path}/:id`,
      summary: `${spec.singular}: alterar`,
      can: spec.can.write,
      params: idParams,
      body: update,
      returns: row,
      errors: codes(spec.notFound, 'ERR_DUPLICATED'),
      touches,
      audit: true,
    },
    remove: {
      method: 'DELETE',
      path: `${spec.path}/:id`,
      summary: `${spec.singular}: excluir`,
      can: spec.can.write,
      params: idParams,
      returns: done,
      errors: codes(spec.notFound, ...(spec.inUse ? [spec.inUse] : [])),
      touches,
      audit: true,
    },
  })
  const { changed } = events({
    changed: {
      channel: spec.name,
      type: `${spec.name}:changed`,
      kept: true,
      payload: z.object({ id: z.number().int(), action: z.enum(['create', 'update', 'delete']) }),
    },
  })
  return { spec, ops, row, changed }
}

/** What `resource()` gives; `changed` is told to everybody of the tenant, and carries no data. */
export type Resource = Pick<ReturnType<typeof resource<ResourceSpec>>, 'ops' | 'changed'> & {
  readonly spec: ResourceSpec
}
