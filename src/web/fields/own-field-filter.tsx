import { TextInput } from '@mantine/core'
import { fieldOf, type OwnField } from '#kit/own-fields.ts'
import { t } from '../t.ts'
import { FilterPopover } from '../ui/inputs/FilterPopover.tsx'
import { FieldFilter, filterNames } from './field-filter.tsx'

type Url = Readonly<Record<string, string | undefined>>
type SetUrl = (next: Record<string, string | number | undefined>) => void

const nameOfField = ({ id }: Pick<OwnField, 'id'>): string => `campo${id}`

/** The names in the address of what narrows a list by a field of the company's own. */
export const namesOfField = (field: OwnField): readonly string[] =>
  field.type === 'text' ? [nameOfField(field)] : filterNames(nameOfField(field), fieldOf(field))

/** What the address narrows a list by, as the server is asked for it (`12:value`, `12:from..to`). */
export const askedFields = (url: Url, fields: readonly OwnField[]): string[] =>
  fields.flatMap((field) => askedOf(url, field).map((asked) => `${field.id}:${asked}`))

function askedOf(url: Url, field: OwnField): string[] {
  const [first = '', second] = namesOfField(field).map((one) => url[one])
  if (field.type === 'text') return first ? [first] : []
  if (field.type === 'number' || field.type === 'date') return first || second ? [`${first}..${second ?? ''}`] : []
  return first ? first.split(',') : []
}

/** What is asked by fields, as the address has it. */
export function addressOfFields(asked: readonly string[], fields: readonly OwnField[]): Record<string, string> {
  const address: Record<string, string> = {}
  for (const field of fields) {
    const values = asked.filter((one) => one.startsWith(`${field.id}:`)).map((one) => one.slice(one.indexOf(':') + 1))
    const [first = '', second] = namesOfField(field)
    if (values.length === 0) continue
    if (field.type === 'text') address[first] = values[0]!
    else if (second) {
      const [from, to] = values[0]!.split('..')
      if (from) address[first] = from
      if (to) address[second] = to
    } else address[first] = values.join(',')
  }
  return address
}

/** The filters by the fields of the company's own: any value, from and to, or the beginning of a text. */
export function OwnFieldFilters(props: { url: Url; setUrl: SetUrl; fields: readonly OwnField[] }) {
  const { url, setUrl, fields } = props
  return fields.map((field) =>
    field.type === 'text' ? (
      <Beginning key={field.id} label={field.name} name={nameOfField(field)} url={url} setUrl={setUrl} />
    ) : (
      <FieldFilter
        key={field.id}
        name={nameOfField(field)}
        field={fieldOf({ ...field, required: false })}
        asked={url}
        onChange={setUrl}
      />
    ),
  )
}

/** The beginning of a text. */
function Beginning({ label, name, url, setUrl }: { label: string; name: string; url: Url; setUrl: SetUrl }) {
  const value = url[name] ?? ''
  return (
    <FilterPopover
      label={value ? t('{label}: {value}', { label, value }) : label}
      active={value !== ''}
      onClear={() => setUrl({ [name]: undefined })}
    >
      {(close) => (
        <TextInput
          size="sm"
          data-autofocus
          label={t('Começa com')}
          maxLength={200}
          value={value}
          onChange={(event) => setUrl({ [name]: event.currentTarget.value || undefined })}
          onKeyDown={(event) => event.key === 'Enter' && close()}
        />
      )}
    </FilterPopover>
  )
}
