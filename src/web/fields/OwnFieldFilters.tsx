import { TextInput } from '@mantine/core'
import { fieldOf, type OwnField } from '#kit/own-fields.ts'
import { t } from '../t.ts'
import { FilterPopover } from '../ui/inputs/FilterPopover.tsx'
import type { SetUrl, Url } from '../url-state.ts'
import { FieldFilter } from './field-filter.tsx'
import { nameOfField } from './own-field-names.ts'

/** Filters by custom fields: any value, a range, or the beginning of a text. */
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

/** Filter by the beginning of a text. */
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
