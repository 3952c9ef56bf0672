import type { z } from 'zod'
import { keysIn } from '#domain/keys.ts'
import { type BooleanField, boolean } from './boolean.ts'
import { type ChoiceField, choice } from './choice.ts'
import { type ColorField, color } from './color.ts'
import { type DateField, date } from './date.ts'
import { type DateTimeField, datetime } from './datetime.ts'
import { type DocumentField, document } from './document.ts'
import { type EmailField, email } from './email.ts'
import { type FileField, file } from './file.ts'
import type { FieldKind } from './kind.ts'
import { type LongTextField, longtext } from './longtext.ts'
import { type MoneyField, money } from './money.ts'
import { type NumberField, number } from './number.ts'
import { type OrderField, order } from './order.ts'
import { type PercentField, percent } from './percent.ts'
import { type PhoneField, phone } from './phone.ts'
import { type ReferenceField, reference } from './reference.ts'
import { type ReferencesField, references } from './references.ts'
import { type SecretField, secret } from './secret.ts'
import { type TemplateField, template } from './template.ts'
import { type TextField, text } from './text.ts'
import { type TimeField, time } from './time.ts'
import { type UrlField, url } from './url.ts'
import { type WeekField, week } from './week.ts'

const kinds = {
  text,
  longtext,
  template,
  number,
  money,
  percent,
  boolean,
  choice,
  date,
  datetime,
  time,
  color,
  phone,
  document,
  email,
  url,
  secret,
  file,
  reference,
  references,
  week,
  order,
}

/** Field of any kind, for forms, filters, lists and tables. */
export type Field =
  | TextField
  | LongTextField
  | TemplateField
  | NumberField
  | MoneyField
  | PercentField
  | BooleanField
  | ChoiceField
  | DateField
  | DateTimeField
  | TimeField
  | ColorField
  | PhoneField
  | DocumentField
  | EmailField
  | UrlField
  | SecretField
  | FileField
  | ReferenceField
  | ReferencesField
  | WeekField
  | OrderField

/** Names of the field kinds. */
export const KINDS = keysIn(kinds)

type Values = { [F in Field as F['kind']]: Exclude<F['default'], undefined> }

/** Value type of a field; null only if its kind has null as empty value and it is not required. */
export type FieldValue<F extends Field> = F extends { readonly options: infer Options }
  ? F extends { readonly required: true }
    ? keyof Options & string
    : (keyof Options & string) | null
  : F extends { readonly required: true }
    ? NonNullable<Values[F['kind']]>
    : Values[F['kind']]

/** The value of a field while its form is filled in: a required one may still be empty. */
export type EnteredValue<F extends Field> = F extends { readonly options: infer Options }
  ? (keyof Options & string) | null
  : Values[F['kind']]

/** Returns the kind of a field. */
export const kindOf = (field: Pick<Field, 'kind'>): FieldKind<Field, unknown> => byName[field.kind]

const byName: Readonly<Record<Field['kind'], FieldKind<Field, unknown>>> = kinds

/** Returns the schema of a field's value, with accepted values as examples. */
export const schemaOf = (field: Field): z.ZodType =>
  kindOf(field)
    .schema(field)
    .meta({ examples: [...kindOf(field).samples(field).good] })

/** Returns the initial value of a field in a form. */
export const startOf = (field: Field): unknown => field.default ?? kindOf(field).empty
