import { TextInput } from '@mantine/core'
import { type Choices, useChoices } from '#web/choices.ts'
import { FieldFilter } from '#web/fields/field-filter.tsx'
import { t } from '#web/t.ts'
import { ChoiceFilter } from '#web/ui/inputs/ChoiceFilter.tsx'
import { FilterPopover } from '#web/ui/inputs/FilterPopover.tsx'
import { fieldOf } from '../forms.ts'
import { idsOf, nameOfField, textOf } from './contact-filter.ts'

type Url = Readonly<Record<string, string | undefined>>
type SetUrl = (next: Record<string, string | number | undefined>) => void

/** What the list of contacts is narrowed by; all of it stands in the address. */
export function ContactFilters(props: { url: Url; setUrl: SetUrl; fields: readonly Choices['contactFields'][] }) {
  const { url, setUrl, fields } = props
  const tags = useChoices('tags')
  const colleagues = useChoices('users')
  const stages = useChoices('stages')
  const list = (label: string, name: string, options: readonly { id: number; name: string; color?: string }[]) => (
    <ChoiceFilter
      label={label}
      options={options}
      chosen={idsOf(url[name])}
      onChange={(ids) => setUrl({ [name]: textOf(ids) })}
    />
  )
  const yesOrNo = (label: string, name: string) => (
    <FieldFilter name={name} field={{ kind: 'boolean', label }} asked={url} onChange={(next) => setUrl(one(next))} />
  )
  return (
    <>
      {list(t('Etiqueta'), 'etiqueta', tags)}
      {list(t('Carteira'), 'carteira', colleagues)}
      {stages.length > 0 && list(t('Etapa'), 'etapa', stages)}
      {yesOrNo(t('Bloqueado'), 'bloqueado')}
      {yesOrNo(t('Sem chatbot'), 'semchatbot')}
      {yesOrNo(t('Grupo'), 'grupo')}
      {fields.map((field) =>
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
      )}
    </>
  )
}

// Of yes and no the one that was chosen last: both together narrow nothing.
const one = (next: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(next).map(([name, value]) => [name, value?.split(',').at(-1)]))

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
