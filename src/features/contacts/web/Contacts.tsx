import { Button } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Suspense, useMemo, useState } from 'react'
import { contactEvents, ticketEvents } from '#features/ledger/event-addresses.ts'
import { useChoices } from '#web/choices.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { ListScreen } from '#web/resource/ListScreen.tsx'
import { useList } from '#web/resource/use-list.ts'
import { useMay } from '#web/session/permissions.ts'
import { openPath } from '#web/shell/route.ts'
import { t } from '#web/t.ts'
import { ContactsIcon, EditIcon, StartConversationIcon, TaskIcon, UploadIcon } from '#web/ui/icons.ts'
import { useColumns } from '#web/ui/table/column-chooser.tsx'
import { useUrlState } from '#web/url-state.ts'
import { contacts } from '../addresses.ts'
import type { ContactRow } from '../contract.ts'
import { ContactFilters } from './ContactFilters.tsx'
import { ContactForm } from './ContactForm.tsx'
import { ContactViews } from './ContactViews.tsx'
import { contactColumns, ownColumns } from './columns.tsx'
import { ClosingAll, commandsOf } from './contact-commands.tsx'
import { addressOf, filterOf, namesInAddress } from './contact-filter.ts'
import { ExportContacts } from './imports/ExportContacts.tsx'
import { StartConversation } from './StartConversation.tsx'

const ContactPage = lazyPart(async () => (await import('./ContactPage.tsx')).ContactPage)
const Duplicates = lazyPart(async () => (await import('./Duplicates.tsx')).Duplicates)
const MergeDialog = lazyPart(async () => (await import('./MergeDialog.tsx')).MergeDialog)
const ChosenContacts = lazyPart(async () => (await import('./ChosenContacts.tsx')).ChosenContacts)

/** Contact list, or the page of the contact in the URL. */
export function Contacts() {
  const { contactId } = useParams({ strict: false })
  return contactId && /^\d+$/.test(contactId) ? (
    <Suspense>
      <ContactPage key={contactId} id={Number(contactId)} />
    </Suspense>
  ) : (
    <ContactList />
  )
}

/** Contact list: search and filters in the URL, selectable columns, a drawer to edit, CSV export. */
function ContactList() {
  const navigate = useNavigate()
  const [url, setUrl] = useUrlState()
  const fields = useChoices('contactFields')
  const all = useMemo(() => [...contactColumns, ...ownColumns(fields)], [fields])
  const { columns, chooser } = useColumns('contatos', all)
  const [talkTo, setTalkTo] = useState<ContactRow | null>(null)
  const narrowed = filterOf(url, fields)
  const filter = { ...narrowed, ...(url.busca ? { searchParam: url.busca } : {}) }
  const [selected, setSelected] = useState<ReadonlySet<string | number>>(new Set())
  // A conversation can create a new contact.
  const list = useList(contacts.list, (page) => page.contacts, filter, [
    contactEvents.update,
    contactEvents.delete,
    contactEvents.moved,
    ticketEvents.create,
  ])
  const [merging, setMerging] = useState<ContactRow | null>(null)
  const [ending, setEnding] = useState<ContactRow | null>(null)
  const [isComparing, setComparing] = useState(false)
  const may = useMay()
  const mayWrite = may('contacts:write')
  return (
    <ListScreen
      title={t('Contatos')}
      nouns={[t('contato'), t('contatos')]}
      list={list}
      search={t('Nome, número, e-mail ou CPF')}
      filters={<ContactFilters url={url} setUrl={setUrl} fields={fields} />}
      filterNames={namesInAddress(fields)}
      note={<ContactViews filter={narrowed} onFilter={(next) => setUrl(addressOf(next, fields))} />}
      view={chooser}
      actions={
        <>
          {may('contacts:merge') && (
            <Button variant="default" onClick={() => setComparing(true)}>
              {t('Possíveis duplicados')}
            </Button>
          )}
          {may('contacts:import') && (
            <Button
              variant="default"
              leftSection={<UploadIcon size={17} />}
              onClick={() => void navigate({ to: '/contatos/importar' })}
            >
              {t('Importar')}
            </Button>
          )}
          {may('contacts:export') && <ExportContacts filter={filter} />}
        </>
      }
      empty={{
        title: t('Nenhum contato'),
        text: t('Quem escrever por um dos seus canais aparece aqui; você também pode cadastrar alguém.'),
      }}
      add={
        mayWrite && { label: t('Novo contato'), first: t('Cadastrar o primeiro'), run: () => setUrl({ id: 'novo' }) }
      }
      table={{
        columns,
        rowKey: (row) => row.id,
        ...(mayWrite && { selected, onSelect: setSelected }),
        onOpen: (row) => setUrl({ id: row.id }),
        commands: (row) => [
          {
            id: 'talk',
            label: t('Iniciar conversa'),
            icon: StartConversationIcon,
            when: () => may('tickets:start'),
            run: () => setTalkTo(row),
          },
          {
            id: 'page',
            label: t('Tudo sobre o contato'),
            icon: ContactsIcon,
            run: () => void navigate({ to: `/contatos/${row.id}` }),
          },
          {
            id: 'task',
            label: t('Criar tarefa'),
            icon: TaskIcon,
            when: () => may('tasks:write'),
            run: () => openPath(`/tarefas?id=novo&contato=${row.id}`),
          },
          { id: 'edit', label: t('Editar'), icon: EditIcon, when: () => mayWrite, run: () => setUrl({ id: row.id }) },
          ...commandsOf(row, may, { merge: () => setMerging(row), end: () => setEnding(row), going: () => {} }),
        ],
      }}
    >
      {mayWrite && url.id && (
        <ContactForm
          key={url.id}
          id={url.id}
          onOpen={(id) => setUrl({ id })}
          onClose={() => setUrl({ id: undefined })}
        />
      )}
      <Suspense>
        {selected.size > 0 && (
          <ChosenContacts
            chosen={[...selected].map(Number)}
            filter={filter}
            onClear={() => setSelected(new Set())}
            nameOf={(id) => list.rows.find((row) => row.id === id)?.name}
          />
        )}
        {isComparing && <Duplicates onClose={() => setComparing(false)} />}
        {ending && <ClosingAll of={ending} onClose={() => setEnding(null)} />}
        {merging && (
          <MergeDialog
            id={merging.id}
            name={merging.name}
            onDone={() => setMerging(null)}
            onClose={() => setMerging(null)}
          />
        )}
      </Suspense>
      {talkTo && <StartConversation contact={talkTo} onClose={() => setTalkTo(null)} />}
    </ListScreen>
  )
}
