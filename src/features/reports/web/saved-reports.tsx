import { Button, MultiSelect, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { CallInput } from '#kit/contract.ts'
import { attempt } from '#web/attempt.ts'
import { call, query } from '#web/client.ts'
import { formatDateTime } from '#web/format.ts'
import { t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { FormDialog } from '#web/ui/feedback/FormDialog.tsx'
import { DeleteIcon, EditIcon, SaveViewIcon } from '#web/ui/icons.ts'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import { useUrlState } from '#web/url-state.ts'
import { reportViews } from '../addresses.ts'
import type { ReportView } from '../contract.ts'
import css from './reports.module.css'

type Body = CallInput<typeof reportViews.create>['body']['body']

const FREQUENCIES = [
  { value: '', label: t('Não enviar') },
  { value: 'weekly', label: t('Toda segunda-feira, a semana que passou') },
  { value: 'monthly', label: t('Todo dia 1º, o mês que passou') },
]

/** Dialog that saves the current report with its filters and mail recipients. */
export function SaveReport({ title, body }: { title: string; body: Body }) {
  const { report } = useParams({ strict: false })
  const [url] = useUrlState()
  const [isOpen, setOpen] = useState(false)
  if (!report) return null
  const search = Object.fromEntries(
    Object.entries(url).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
  return (
    <>
      <Button variant="default" leftSection={<SaveViewIcon size={17} />} onClick={() => setOpen(true)}>
        {t('Salvar')}
      </Button>
      {isOpen && (
        <ViewDialog
          view={null}
          usual={title}
          onSave={(values) =>
            call(reportViews.create, { body: { ...values, path: report, search, body } }, { quiet: true })
          }
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

type Values = { name: string; frequency: 'weekly' | 'monthly' | null; recipients: number[] }

function ViewDialog(props: {
  view: ReportView | null
  usual: string
  onSave: (values: Values) => Promise<unknown>
  onClose: () => void
}) {
  const { view, usual, onSave, onClose } = props
  const [name, setName] = useState(view?.name ?? usual)
  const [frequency, setFrequency] = useState<Values['frequency']>(view?.frequency ?? null)
  const [recipients, setRecipients] = useState<number[]>(view?.recipients ?? [])
  const people = useQuery(query(reportViews.readers)).data?.people ?? []
  const save = async () => {
    const saved = await attempt(() => onSave({ name: name.trim(), frequency, recipients }), t('Relatório salvo'))
    if (saved) onClose()
  }
  return (
    <FormDialog
      title={view ? t('Relatório salvo') : t('Salvar relatório')}
      action={t('Salvar')}
      onSubmit={save}
      onClose={onClose}
    >
      <TextInput
        label={t('Nome')}
        maxLength={60}
        value={name}
        onChange={(change) => setName(change.currentTarget.value)}
      />
      <Select
        label={t('Enviar por e-mail')}
        allowDeselect={false}
        data={FREQUENCIES}
        value={frequency ?? ''}
        onChange={(next) => setFrequency(next ? (next as 'weekly') : null)}
      />
      {frequency !== null && (
        <MultiSelect
          label={t('Para')}
          description={t('Cada pessoa recebe só os números que ela mesma pode ver.')}
          searchable
          hidePickedOptions
          data={people.map(({ id, name: label }) => ({ value: String(id), label }))}
          value={recipients.map(String)}
          onChange={(next) => setRecipients(next.map(Number))}
        />
      )}
    </FormDialog>
  )
}

const sendingText = ({ frequency, nextAt }: ReportView): string =>
  frequency === null || nextAt === null
    ? ''
    : frequency === 'weekly'
      ? t('Toda semana por e-mail; o próximo em {when}', { when: formatDateTime(nextAt) })
      : t('Todo mês por e-mail; o próximo em {when}', { when: formatDateTime(nextAt) })

/** Saved reports of the person, each opened with its filters. */
export function SavedReports() {
  const views = useQuery(query(reportViews.list)).data?.views ?? []
  const [edited, setEdited] = useState<ReportView | null>(null)
  if (views.length === 0) return null
  const remove = async ({ id, name }: ReportView) => {
    const isSure = await confirm({
      title: t('Excluir o relatório salvo “{name}”?', { name }),
      text: t('Os números ficam; só o atalho some, e ele não vai mais por e-mail.'),
      action: t('Excluir'),
    })
    if (isSure)
      await attempt(() => call(reportViews.remove, { params: { id } }, { quiet: true }), t('Relatório salvo excluído'))
  }
  return (
    <section aria-label={t('Relatórios salvos')} className={css.saved}>
      <h2>{t('Salvos')}</h2>
      <ul>
        {views.map((view) => (
          <li key={view.id}>
            <Link to={`/relatorios/${view.path}`} search={view.search}>
              <b>{view.name}</b>
              <span>{sendingText(view)}</span>
            </Link>
            <CommandMenu
              label={t('Opções de {name}', { name: view.name })}
              commands={[
                { id: 'edit', label: t('Nome e e-mail'), icon: EditIcon, run: () => setEdited(view) },
                { id: 'remove', label: t('Excluir…'), icon: DeleteIcon, tone: 'neg', run: () => void remove(view) },
              ]}
            />
          </li>
        ))}
      </ul>
      {edited && (
        <ViewDialog
          view={edited}
          usual={edited.name}
          onSave={(body) => call(reportViews.update, { params: { id: edited.id }, body }, { quiet: true })}
          onClose={() => setEdited(null)}
        />
      )}
    </section>
  )
}
