import { Button, Select, Textarea } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { keysIn } from '#domain/keys.ts'
import { sentence } from '#web/api.ts'
import { call, pages } from '#web/client.ts'
import { formatDateTime } from '#web/format.ts'
import { useMay } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { Pill } from '#web/ui/identity/badges.tsx'
import { consents } from '../addresses.ts'
import type { ConsentRow } from '../contract.ts'
import css from './consents.module.css'

type Purpose = ConsentRow['purpose']
type State = ConsentRow['state']

const PURPOSES: Readonly<Record<Purpose, string>> = {
  marketing: t('Campanhas e ofertas'),
  utility: t('Avisos automáticos'),
}
const SOURCES: Readonly<Record<ConsentRow['source'], string>> = {
  conversation: t('escreveu na conversa'),
  import: t('importação'),
  widget: t('formulário do site'),
  api: 'API',
  agent: t('registrado pela equipe'),
  campaign: t('campanha'),
}

const stateText = (state: State | 'unknown') =>
  state === 'granted' ? t('Aceita receber') : state === 'revoked' ? t('Não quer receber') : t('Não informado')

/** Section with a contact's consents and their records; adds new ones. */
export function Consents({ contactId }: { contactId: number }) {
  const read = useInfiniteQuery(pages(consents.list, { query: { contactId } }))
  const may = useMay()
  if (read.isPending) return <SkeletonRows kind="table" rows={4} />
  if (read.error) return <LoadError text={sentence(read.error)} retry={() => void read.refetch()} />
  const [first] = read.data.pages
  const rows = read.data.pages.flatMap((page) => page.consents)
  return (
    <div className={css.consents}>
      <dl className={css.states}>
        {keysIn(PURPOSES).map((purpose) => {
          const state = first?.states[purpose] ?? 'unknown'
          const tone = state === 'granted' ? 'pos' : state === 'revoked' ? 'neg' : 'plain'
          return (
            <div key={purpose}>
              <dt>{PURPOSES[purpose]}</dt>
              <dd>
                <Pill tone={tone}>{stateText(state)}</Pill>
              </dd>
            </div>
          )
        })}
      </dl>
      {may(consents.create.can) && <NewConsent contactId={contactId} />}
      <ul className={css.records}>
        {rows.map((row) => (
          <li key={row.id}>
            <b>
              {PURPOSES[row.purpose]}: {stateText(row.state)}
            </b>
            {row.note && <span>“{row.note}”</span>}
            <small>
              {[
                SOURCES[row.source],
                row.user?.name,
                row.address.replace(/^phone:|^mail:/, ''),
                formatDateTime(row.createdAt),
              ]
                .filter(Boolean)
                .join(' · ')}
            </small>
          </li>
        ))}
      </ul>
      {rows.length === 0 && (
        <p className={css.none}>
          {t('Nada registrado. Quem responde SAIR, PARAR ou STOP deixa de receber campanhas, e isso aparece aqui.')}
        </p>
      )}
      {read.hasNextPage && (
        <Button variant="default" onClick={() => void read.fetchNextPage()}>
          {t('Mostrar mais')}
        </Button>
      )}
    </div>
  )
}

function NewConsent({ contactId }: { contactId: number }) {
  const [purpose, setPurpose] = useState<Purpose>('marketing')
  const [state, setState] = useState<State>('revoked')
  const [note, setNote] = useState('')
  const [isSaving, setSaving] = useState(false)
  const save = async () => {
    setSaving(true)
    try {
      await call(consents.create, { body: { contactId, purpose, state, note } })
      setNote('')
    } catch {
      // Said by the call.
    } finally {
      setSaving(false)
    }
  }
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Select
        label={t('Finalidade')}
        data={keysIn(PURPOSES).map((value) => ({ value, label: PURPOSES[value] }))}
        value={purpose}
        allowDeselect={false}
        onChange={(value) => value && setPurpose(value)}
      />
      <Select
        label={t('O contato')}
        data={(['granted', 'revoked'] as State[]).map((value) => ({ value, label: stateText(value) }))}
        value={state}
        allowDeselect={false}
        onChange={(value) => value && setState(value)}
      />
      <Textarea
        className={css.note ?? ''}
        label={t('Como você soube')}
        placeholder={t('Ex.: pediu por telefone em 12/03')}
        autosize
        minRows={1}
        maxLength={1000}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <Button type="submit" loading={isSaving}>
        {t('Registrar')}
      </Button>
    </form>
  )
}
