import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { contactEvents, ticketEvents } from '#features/conversations/addresses.ts'
import { attempt } from '#web/attempt.ts'
import { useChoices } from '#web/choices.ts'
import { call } from '#web/client.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { ListScreen } from '#web/resource/ListScreen.tsx'
import { useList } from '#web/resource/use-list.ts'
import { useMay } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { DeleteIcon, EditIcon, MergeIcon, StartConversationIcon, UploadIcon } from '#web/ui/icons.ts'
import { ChoiceFilter } from '#web/ui/inputs/ChoiceFilter.tsx'
import { useColumns } from '#web/ui/table/column-chooser.tsx'
import { useUrlState } from '#web/url-state.ts'
import { contacts } from '../addresses.ts'
import type { ContactRow } from '../contract.ts'
import { ContactForm } from './ContactForm.tsx'
import { contactColumns } from './columns.tsx'
import { ExportMenu } from './imports/ExportMenu.tsx'
import { StartConversation } from './StartConversation.tsx'

const Duplicates = lazyPart(async () => (await import('./Duplicates.tsx')).Duplicates)
const MergeDialog = lazyPart(async () => (await import('./MergeDialog.tsx')).MergeDialog)

const idsOf = (text: string | undefined): number[] =>
  (text ?? '')
    .split(',')
    .map(Number)
    .filter((id) => id > 0)
// One id is written as a number, because the address would put quotes around its text.
const textOf = (ids: readonly number[]): number | string => (ids.length === 1 ? (ids[0] as number) : ids.join(','))

async function remove({ id, name }: ContactRow): Promise<void> {
  const sure = await confirm({
    title: t('Excluir {name}?', { name }),
    text: t('Os dados, etiquetas e carteiras do contato são apagados, e isto não pode ser desfeito.'),
    action: t('Excluir contato'),
  })
  if (sure) await attempt(() => call(contacts.remove, { params: { id } }, { quiet: true }), t('Contato excluído'))
}

/** The company's contacts: search and filters in the address, columns by choice, a drawer to edit, all of it as CSV. */
export function Contacts() {
  const [url, setUrl] = useUrlState()
  const { columns, chooser } = useColumns('contatos', contactColumns)
  const [talkTo, setTalkTo] = useState<ContactRow | null>(null)
  const tags = useChoices('tags')
  const colleagues = useChoices('users')
  const filter = useMemo(
    () => ({ searchParam: url.busca, tag: idsOf(url.etiqueta), wallet: idsOf(url.carteira) }),
    [url.busca, url.etiqueta, url.carteira],
  )
  // A conversation can bring a new contact.
  const list = useList(contacts.list, (page) => page.contacts, filter, [
    contactEvents.update,
    contactEvents.delete,
    contactEvents.moved,
    ticketEvents.create,
  ])
  const [merging, setMerging] = useState<ContactRow | null>(null)
  const [isComparing, setComparing] = useState(false)
  const may = useMay()
  const navigate = useNavigate()
  const mayWrite = may('contacts:write')
  return (
    <ListScreen
      title={t('Contatos')}
      nouns={[t('contato'), t('contatos')]}
      list={list}
      search={t('Nome, número, e-mail ou CPF')}
      filters={
        <>
          <ChoiceFilter
            label={t('Etiqueta')}
            options={tags}
            chosen={filter.tag}
            onChange={(ids) => setUrl({ etiqueta: textOf(ids) })}
          />
          <ChoiceFilter
            label={t('Carteira')}
            options={colleagues}
            chosen={filter.wallet}
            onChange={(ids) => setUrl({ carteira: textOf(ids) })}
          />
        </>
      }
      filterNames={['etiqueta', 'carteira']}
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
          {may('contacts:export') && <ExportMenu filter={filter} />}
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
        onOpen: (row) => setUrl({ id: row.id }),
        commands: (row) => [
          {
            id: 'talk',
            label: t('Iniciar conversa'),
            icon: StartConversationIcon,
            when: () => may('tickets:start'),
            run: () => setTalkTo(row),
          },
          { id: 'edit', label: t('Editar'), icon: EditIcon, when: () => mayWrite, run: () => setUrl({ id: row.id }) },
          {
            id: 'merge',
            label: t('Mesclar…'),
            icon: MergeIcon,
            when: () => may('contacts:merge') && !row.isGroup,
            run: () => setMerging(row),
          },
          {
            id: 'remove',
            label: t('Excluir…'),
            icon: DeleteIcon,
            tone: 'neg',
            when: () => may('contacts:delete'),
            run: () => void remove(row),
          },
        ],
      }}
    >
      {mayWrite && url.id && (
        <ContactForm
          key={url.id}
          id={url.id}
          tags={tags}
          colleagues={colleagues}
          onOpen={(id) => setUrl({ id })}
          onClose={() => setUrl({ id: undefined })}
        />
      )}
      {isComparing && <Duplicates onClose={() => setComparing(false)} />}
      {merging && (
        <MergeDialog
          id={merging.id}
          name={merging.name}
          onDone={() => setMerging(null)}
          onClose={() => setMerging(null)}
        />
      )}
      {talkTo && <StartConversation contact={talkTo} onClose={() => setTalkTo(null)} />}
    </ListScreen>
  )
}
