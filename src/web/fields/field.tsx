import type { ComponentType } from 'react'
import type { EnteredValue, Field } from '#kit/fields/kinds.ts'
import { boolean } from './boolean.tsx'
import { choice } from './choice.tsx'
import { color } from './color.tsx'
import { date, datetime, time } from './date.tsx'
import { document } from './document.tsx'
import { file } from './file.tsx'
import type { InputProps, WebKind } from './kind.tsx'
import { longtext } from './longtext.tsx'
import { money, number, order, percent } from './number.tsx'
import { phone } from './phone.tsx'
import { reference, references } from './reference.tsx'
import { secret } from './secret.tsx'
import { template } from './template.tsx'
import { email, text, url } from './text.tsx'
import { week } from './week.tsx'

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
} satisfies Record<Field['kind'], unknown>

type AnyInput<F extends Field> = Omit<InputProps<F, EnteredValue<F>>, 'value'> & { value: unknown }
type AnyKind<F extends Field> = {
  Input: ComponentType<AnyInput<F>>
  Cell: WebKind<F, unknown>['Cell']
}

const webKind = <F extends Field>({ kind }: F) => kinds[kind] as unknown as AnyKind<F>

/** Input of a field of any kind in a form; `onChange` gets values of that kind. */
export function FieldInput<const F extends Field>(props: AnyInput<F>) {
  const { Input } = webKind(props.field)
  return <Input {...props} />
}

/** Value of a field of any kind in a list. */
export function FieldCell({ field, value }: { field: Field; value: unknown }) {
  const { Cell } = webKind(field)
  return <Cell field={field} value={value} />
}
