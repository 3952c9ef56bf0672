import { z } from 'zod'

/** Properties of every field: `filter` offers it as a filter, `inList` shows it in the list. */
export type FieldOf<Kind extends string, Value, Options = unknown> = {
  readonly kind: Kind
  readonly label: string
  readonly hint?: string
  readonly required?: boolean
  readonly default?: Value
  readonly column?: string
  readonly inList?: boolean
  readonly filter?: boolean
} & Options

/** Reader of an exported file: the time zone (IANA name). */
export type Reader = { readonly zone: string }

/**
 * One kind of field. `schema` validates a value in bodies and answers; `column` is its SQL type, `read` the type it is
 * cast to when selected, `stored` the expression written if not the value itself. `isNumber`: values are numbers,
 * written as text in URLs. `sort` is the SQL type to sort by and the value in place of null, which sorts last.
 * `filter`: one of several values, or a range. `toText` and `fromText` convert for CSV; unparsable text is returned as
 * is, so that the schema refuses it.
 */
export type FieldKind<F, Value> = {
  schema(field: F): z.ZodType<Value, Value>
  readonly empty: Value
  readonly column: string
  readonly isNumber?: true
  readonly read?: 'text'
  stored?(value: Value): unknown
  readonly sort?: { readonly type: string; readonly last?: string }
  readonly filter?: 'values' | 'range'
  samples(field: F): { readonly good: readonly NonNullable<Value>[]; readonly bad: readonly unknown[] }
  toText(value: Value, field: F, reader: Reader): string
  fromText(text: string, field: F, reader: Reader): unknown
}

/** Text converters of texts that are stored unchanged. */
export const asWritten = { toText: (value: string) => value, fromText: (text: string) => text }

/** Sort type of texts, which ignores case and accents. */
export const byText = { type: 'text' }

/** Returns a field's schema that also permits null, unless the field is required. */
export const orNull = <V>(
  schema: z.ZodType<V, V>,
  { required }: { required?: boolean },
): z.ZodType<V | null, V | null> => (required ? schema : schema.nullable())

/** Returns a text field's schema that also permits '', unless the field is required. */
export const orEmpty = (
  schema: z.ZodType<string, string>,
  { required }: { required?: boolean },
  error: string,
): z.ZodType<string, string> => (required ? schema : z.union([schema, z.literal('')], { error }))
