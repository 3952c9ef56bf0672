import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { AudienceFilter } from '#features/messages/web/registries/contact-screens.ts'
import { useChoices } from '#web/choices.ts'
import { t } from '#web/t.ts'
import type { ContactView } from '../contract.ts'
import { ContactFilters } from './ContactFilters.tsx'
import { ContactViews } from './ContactViews.tsx'
import { addressOf, filterOf } from './contact-filter.ts'
import css from './contacts.module.css'

type Chosen = Readonly<Record<string, string | undefined>>

const asTexts = (address: Record<string, string | number | undefined>): Chosen =>
  Object.fromEntries(
    Object.entries(address).map(([name, value]) => [name, value === undefined ? value : String(value)]),
  )

/** Selects contacts by the filters, search and saved views of their list. */
export function ContactAudience(props: { filter: AudienceFilter; onChange: (filter: AudienceFilter) => void }) {
  const fields = useChoices('contactFields')
  const [{ searchParam = '', ...narrowed }] = useState(props.filter as ContactView['filter'] & { searchParam?: string })
  const [chosen, setChosen] = useState<Chosen>(() => asTexts(addressOf(narrowed, fields)))
  const [search, setSearch] = useState(searchParam)
  const change = (next: Chosen, searched: string) => {
    setChosen(next)
    setSearch(searched)
    props.onChange({ ...filterOf(next, fields), ...(searched.trim() ? { searchParam: searched.trim() } : {}) })
  }
  const set = (next: Record<string, string | number | undefined>) => change({ ...chosen, ...asTexts(next) }, search)
  return (
    <>
      <ContactViews filter={filterOf(chosen, fields)} onFilter={(next) => set(addressOf(next, fields))} />
      <TextInput
        aria-label={t('Nome, número, e-mail ou CPF')}
        placeholder={t('Nome, número, e-mail ou CPF')}
        maxLength={200}
        value={search}
        onChange={(event) => change(chosen, event.currentTarget.value)}
      />
      <div className={css.audience}>
        <ContactFilters url={chosen} setUrl={set} fields={fields} />
      </div>
    </>
  )
}
