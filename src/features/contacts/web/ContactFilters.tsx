import { type Choices, useChoices } from '#web/choices.ts'
import { OwnFieldFilters } from '#web/fields/own-field-filter.tsx'
import { t } from '#web/t.ts'
import { ChoiceFilter } from '#web/ui/inputs/ChoiceFilter.tsx'
import { idsOf, textOf } from './contact-filter.ts'

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
  return (
    <>
      {list(t('Etiqueta'), 'etiqueta', tags)}
      {list(t('Carteira'), 'carteira', colleagues)}
      {stages.length > 0 && list(t('Etapa'), 'etapa', stages)}
      <ChoiceFilter
        label={t('Situação')}
        options={STATES}
        chosen={STATES.flatMap(({ id }) => (url[stateOf(id)[0]] === stateOf(id)[1] ? [id] : []))}
        onChange={(ids) => setUrl({ ...noState, ...Object.fromEntries(ids.map(stateOf)) })}
      />
      <OwnFieldFilters {...{ url, setUrl, fields }} />
    </>
  )
}

// What is on or off of a contact, as the address has it; of two that exclude each other the one chosen last counts.
const STATES = [
  { id: 'bloqueado true', name: t('Bloqueados') },
  { id: 'bloqueado false', name: t('Não bloqueados') },
  { id: 'semchatbot true', name: t('Com o chatbot bloqueado') },
  { id: 'grupo false', name: t('Só pessoas') },
  { id: 'grupo true', name: t('Só grupos') },
  { id: 'anuncio true', name: t('Vieram de um anúncio') },
  { id: 'anuncio false', name: t('Não vieram de anúncio') },
] as const
const noState = { bloqueado: undefined, semchatbot: undefined, grupo: undefined, anuncio: undefined }
const stateOf = (id: string) => id.split(' ') as [name: string, value: string]
