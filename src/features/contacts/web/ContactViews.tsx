import { Button, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { attempt } from '#web/attempt.ts'
import { call, query } from '#web/client.ts'
import { useMay } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { FormDialog } from '#web/ui/feedback/FormDialog.tsx'
import { DeleteIcon, EditIcon, FilterIcon, SaveViewIcon } from '#web/ui/icons.ts'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import { FilterChip } from '#web/ui/layout/page.tsx'
import { contactViews } from '../addresses.ts'
import type { ContactView } from '../contract.ts'
import css from './contacts.module.css'

type Filter = ContactView['filter']

const sorted = (filter: Filter): string =>
  JSON.stringify(
    Object.entries(filter)
      .map(([key, value]) => [key, Array.isArray(value) ? value.map(String).sort() : value])
      .sort(),
  )

async function remove({ id, name }: ContactView): Promise<void> {
  const sure = await confirm({
    title: t('Excluir a visão {name}?', { name }),
    text: t('Os contatos ficam como estão; só a visão some.'),
    action: t('Excluir visão'),
  })
  if (sure) await attempt(() => call(contactViews.remove, { params: { id } }, { quiet: true }), t('Visão excluída'))
}

/** Saved views of the contact list; clicking the active one shows the whole list again. */
export function ContactViews(props: { filter: Filter; onFilter: (filter: Filter) => void }) {
  const { filter, onFilter } = props
  const views = useQuery(query(contactViews.list)).data?.views ?? []
  const [asked, setAsked] = useState<ContactView | 'new' | null>(null)
  const isNarrowed = Object.keys(filter).length > 0
  const shown = views.find((view) => sorted(view.filter) === sorted(filter))
  if (views.length === 0 && !isNarrowed) return null
  const commandsOf = (view: ContactView) => [
    { id: 'rename', label: t('Mudar nome e alcance'), icon: EditIcon, run: () => setAsked(view) },
    {
      id: 'refilter',
      label: t('Usar o filtro atual'),
      icon: FilterIcon,
      run: () =>
        void attempt(
          () => call(contactViews.update, { params: { id: view.id }, body: { filter } }, { quiet: true }),
          t('Visão {name} salva', { name: view.name }),
        ),
    },
    {
      id: 'remove',
      label: t('Excluir…'),
      icon: DeleteIcon,
      tone: 'neg' as const,
      run: () => void remove(view),
    },
  ]
  return (
    <div className={css.views} role="group" aria-label={t('Visões')}>
      {views.map((view) => (
        <span key={view.id} className={css.view}>
          <FilterChip
            label={view.name}
            active={view === shown}
            onClick={() => onFilter(view === shown ? {} : view.filter)}
          />
          {view.mayChange && (
            <CommandMenu
              commands={() => commandsOf(view)}
              size={28}
              label={t('Ações de {name}', { name: view.name })}
            />
          )}
        </span>
      ))}
      {isNarrowed && !shown && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<SaveViewIcon size={16} />}
          onClick={() => setAsked('new')}
        >
          {t('Salvar como visão')}
        </Button>
      )}
      {asked && <SaveView view={asked === 'new' ? null : asked} filter={filter} onClose={() => setAsked(null)} />}
    </div>
  )
}

const audiences = [
  { value: 'person', label: t('Só eu') },
  { value: 'company', label: t('Toda a empresa') },
] as const

function SaveView({ view, filter, onClose }: { view: ContactView | null; filter: Filter; onClose: () => void }) {
  const [name, setName] = useState(view?.name ?? '')
  const [audience, setAudience] = useState<ContactView['audience']>(view?.audience ?? 'person')
  const [missing, setMissing] = useState(false)
  const mayShare = useMay()('tickets:all')
  const submit = async () => {
    if (name.trim() === '') return setMissing(true)
    const body = { name, audience }
    const save = () =>
      view
        ? call(contactViews.update, { params: { id: view.id }, body }, { quiet: true })
        : call(contactViews.create, { body: { ...body, filter } }, { quiet: true })
    await attempt(
      async () => {
        await save()
        onClose()
      },
      t('Visão {name} salva', { name: name.trim() }),
    )
  }
  return (
    <FormDialog
      title={view ? t('Mudar a visão {name}', { name: view.name }) : t('Salvar como visão')}
      action={t('Salvar')}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label={t('Nome')}
        placeholder={t('Por exemplo: VIPs sem carteira')}
        maxLength={40}
        value={name}
        error={missing && name.trim() === '' ? t('Dê um nome à visão.') : undefined}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {mayShare && (
        <Select
          label={t('Quem vê')}
          allowDeselect={false}
          data={audiences}
          value={audience}
          onChange={(next) => next && setAudience(next)}
        />
      )}
    </FormDialog>
  )
}
