import { Modal } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { type AudienceFilter, contactScreens } from '#features/messages/web/registries/contact-screens.ts'
import { sentence } from '#web/api.ts'
import { call, query } from '#web/client.ts'
import { formatNumber } from '#web/format.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { plural, t } from '#web/t.ts'
import { DialogEnd } from '#web/ui/feedback/DialogEnd.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { Fields, Notice, Segments } from '#web/ui/inputs/fields.tsx'
import { campaigns } from '../addresses.ts'
import type { Campaign } from '../contract.ts'
import css from './campaigns.module.css'

const ContactChoice = lazyPart(async () => await contactScreens().loadChoice())
const ContactAudience = lazyPart(async () => await contactScreens().loadAudience())

/** Debounce before the contacts of a filter are counted, in ms. */
const COUNT_AFTER_MS = 400

/** Dialog that includes contacts in a campaign: all that match a filter or saved view, or one by one. */
export function AudienceDialog({ row, onClose }: { row: Campaign; onClose: () => void }) {
  const [way, setWay] = useState<'filter' | 'people'>('filter')
  const [filter, setFilter] = useState<AudienceFilter>({ blocked: false })
  const [people, setPeople] = useState<readonly number[]>([])
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [counted] = useDebouncedValue(filter, COUNT_AFTER_MS)
  const { data, error } = useQuery({
    ...query(campaigns.audience, { query: counted }),
    enabled: way === 'filter',
  })
  const isCounted = counted === filter && data !== undefined
  const count = way === 'people' ? people.length : isCounted ? data.count : null
  const include = async () => {
    setBusy(true)
    setProblem(null)
    try {
      const body = way === 'filter' ? { filter, expected: data?.count } : { contacts: [...people] }
      const { added } = await call(campaigns.addContacts, { params: { id: row.id }, body }, { long: true, quiet: true })
      notify({ tone: 'pos', title: plural(added, t('contato incluído'), t('contatos incluídos')) })
      onClose()
    } catch (failure) {
      setProblem(sentence(failure))
      setBusy(false)
    }
  }
  return (
    <Modal opened onClose={onClose} size={560} title={t('Incluir contatos')}>
      <Fields>
        <Segments
          label={t('Quem recebe')}
          value={way}
          options={[
            { value: 'filter', label: t('Por filtro') },
            { value: 'people', label: t('Um a um') },
          ]}
          onChange={setWay}
        />
        <AudienceWays way={way} filter={filter} setFilter={setFilter} people={people} setPeople={setPeople} />
        {(problem ?? error) && <Notice tone="neg">{problem ?? sentence(error)}</Notice>}
        <AudienceSteps count={count} busy={busy} onInclude={() => void include()} onClose={onClose} />
      </Fields>
    </Modal>
  )
}

function AudienceSteps(props: {
  /** Contacts that would be included; null while they are counted. */
  count: number | null
  busy: boolean
  onInclude: () => void
  onClose: () => void
}) {
  const { count, busy, onInclude, onClose } = props
  const some = t('Incluir {count}', { count: formatNumber(count ?? 0) })
  return (
    <DialogEnd
      action={count === null ? t('Contando…') : count === 0 ? t('Incluir') : some}
      doing={t('Incluindo')}
      isReady={!!count}
      busy={busy}
      onClose={onClose}
      onRun={onInclude}
    />
  )
}

function AudienceWays(props: {
  way: 'filter' | 'people'
  filter: AudienceFilter
  setFilter: (next: AudienceFilter) => void
  people: readonly number[]
  setPeople: (next: readonly number[]) => void
}) {
  const { way, filter, setFilter, people, setPeople } = props
  return (
    <Suspense>
      {way === 'filter' ? (
        <>
          <ContactAudience filter={filter} onChange={setFilter} />
          <p className={css.hint}>
            {t('Entra quem passa pelos filtros agora; grupos ficam de fora. Um número entra uma vez só.')}
          </p>
        </>
      ) : (
        <ContactChoice
          chosen={people}
          onChoose={(id) => setPeople(people.includes(id) ? people.filter((one) => one !== id) : [...people, id])}
        />
      )}
    </Suspense>
  )
}
