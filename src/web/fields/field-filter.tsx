import { type Field, kindOf } from '#kit/fields/kinds.ts'
import { rangeOf } from '#kit/range.ts'
import { timeZone } from '../format.ts'
import { t } from '../t.ts'
import { ChoiceFilter } from '../ui/inputs/ChoiceFilter.tsx'
import { FilterPopover } from '../ui/inputs/FilterPopover.tsx'
import { FieldInput } from './field.tsx'
import css from './fields.module.css'
import { useReferred } from './reference.tsx'

type Asked = Readonly<Record<string, string | undefined>>
type Props<F extends Field = Field> = {
  name: string
  field: F
  asked: Asked
  onChange: (next: Record<string, string | undefined>) => void
}

/** Returns the names of a field's filter in an address. */
export const filterNames = (name: string, field: Field): readonly string[] =>
  kindOf(field).filter === 'range' ? rangeOf(name) : [name]

/** Filter of a field: any of its values, or a range; the chip shows the selection. */
export function FieldFilter(props: Props) {
  const { field } = props
  if (field.kind === 'reference') return <Referred {...props} field={field} />
  if (kindOf(field).filter === 'range') return <Range {...props} />
  const options: Record<string, string> = field.kind === 'choice' ? field.options : { true: t('Sim'), false: t('Não') }
  return <Values {...props} options={Object.entries(options).map(([id, name]) => ({ id, name }))} />
}

function Referred(props: Props<Extract<Field, { kind: 'reference' }>>) {
  const rows = useReferred(props.field.to)
  return <Values {...props} options={rows.map(({ id, name }) => ({ id: String(id), name }))} />
}

function Values({
  name,
  field,
  asked,
  onChange,
  options,
}: Props & { options: readonly { id: string; name: string }[] }) {
  return (
    <ChoiceFilter
      label={field.label}
      options={options}
      chosen={asked[name]?.split(',') ?? []}
      onChange={(ids) => onChange({ [name]: ids.join(',') || undefined })}
    />
  )
}

function Range({ name, field, asked, onChange }: Props) {
  const [from, to] = rangeOf(name)
  const { toText, schema, isNumber, empty } = kindOf(field)
  const valueAt = (part: string): unknown => {
    const text = asked[part]
    return isNumber && text !== undefined ? Number(text) : (text ?? empty)
  }
  const written = (part: string) =>
    asked[part] === undefined ? '…' : toText(valueAt(part), field, { zone: timeZone() })
  const isOn = asked[from] !== undefined || asked[to] !== undefined
  const set = (part: string) => (value: unknown) =>
    onChange({ [part]: value === null || value === '' ? undefined : String(value) })
  const input = (part: string, label: string) => (
    <FieldInput
      field={{ ...field, label, hint: '', required: false }}
      value={valueAt(part)}
      error={schema({ ...field, required: false }).safeParse(valueAt(part)).error?.issues[0]?.message}
      onChange={set(part)}
    />
  )
  return (
    <FilterPopover
      label={
        isOn ? t('{name}: {from} a {to}', { name: field.label, from: written(from), to: written(to) }) : field.label
      }
      active={isOn}
      onClear={() => onChange({ [from]: undefined, [to]: undefined })}
    >
      {() => (
        <div className={css.range}>
          {input(from, t('De'))}
          {input(to, t('Até'))}
        </div>
      )}
    </FilterPopover>
  )
}
