import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { ticketEvents } from '#features/tickets/contract.ts'
import { sentence } from '#web/api.ts'
import { call, pages, queryClient } from '#web/client.ts'
import { formatNumber } from '#web/format.ts'
import { on } from '#web/realtime.ts'
import { useNextPage } from '#web/resource/use-next-page.ts'
import { useMay } from '#web/standing.ts'
import { plural } from '#web/t.ts'
import { ChoiceFilter } from '#web/ui/choice-filter.tsx'
import { ColumnChooser, useColumns } from '#web/ui/column-chooser.tsx'
import { confirm } from '#web/ui/confirm.tsx'
import { DataTable } from '#web/ui/data-table.tsx'
import { AddIcon, ContactsIcon, DeleteIcon, EditIcon, ExportIcon, StartConversationIcon } from '#web/ui/icons.ts'
import { notify } from '#web/ui/notify.tsx'
import { FilterRow, Page, PageHead, SearchField } from '#web/ui/page.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { EmptyState, LoadError } from '#web/ui/states.tsx'
import { useUrlState } from '#web/url-state.ts'
import { type ContactRow, contactEvents, contacts } from '../contract.ts'
import { ContactForm } from './ContactForm.tsx'
import { contactColumns } from './columns.tsx'
import { exportContacts } from './export.ts'
import { useColleagues, useTags } from './options.ts'
import { StartConversation } from './StartConversation.tsx'

const idsOf = (text: string | undefined): number[] =>
  (text ?? '')
    .split(',')
    .map(Number)
    .filter((id) => id > 0)
// One id is written as a number, because the address would put quotes around its text.
const textOf = (ids: readonly number[]): number | string => (ids.length === 1 ? (ids[0] as number) : ids.join(','))

/** Reads contacts again when one changed or a conversation brought a new one; a burst counts once. */
function useLiveContacts(): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const changed = () => {
      clearTimeout(timer)
      timer = setTimeout(() => void queryClient.invalidateQueries({ queryKey: ['contacts'] }), 500)
    }
    const offs = [
      on(contactEvents.update, changed),
      on(contactEvents.delete, changed),
      on(ticketEvents.create, changed),
    ]
    return () => {
      clearTimeout(timer)
      for (const off of offs) off()
    }
  }, [])
}

/** The company's contacts: search and filters in the address, columns by choice, a drawer to edit, all of it as CSV. */
export function Contacts() {
  const [url, setUrl] = useUrlState()
  const [shown, chooseColumns] = useColumns('contatos', contactColumns)
  const [talkTo, setTalkTo] = useState<ContactRow | null>(null)
  const [exported, setExported] = useState<number | null>(null)
  const tags = useTags()
  const colleagues = useColleagues()
  useLiveContacts()
  const filter = useMemo(
    () => ({ searchParam: url.busca, tag: idsOf(url.etiqueta), wallet: idsOf(url.carteira) }),
    [url.busca, url.etiqueta, url.carteira],
  )
  const list = useInfiniteQuery(pages(contacts.list, { query: filter }))
  const rows = list.data?.pages.flatMap((page) => page.contacts) ?? []
  const first = list.data?.pages[0]
  const isNarrowed = Boolean(filter.searchParam) || filter.tag.length > 0 || filter.wallet.length > 0
  const clear = () => setUrl({ busca: undefined, etiqueta: undefined, carteira: undefined })
  const setSearch = useCallback((busca: string) => setUrl({ busca }), [setUrl])
  const onEnd = useNextPage(list)
  const may = useMay()

  const save = async () => {
    setExported(0)
    try {
      const count = await exportContacts(filter, setExported)
      notify({ tone: 'pos', title: `${plural(count, 'contato exportado', 'contatos exportados')} em contatos.csv` })
    } catch (error) {
      notify({ tone: 'neg', title: sentence(error) })
    } finally {
      setExported(null)
    }
  }

  const remove = async ({ id, name }: ContactRow) => {
    const sure = await confirm({
      title: `Excluir ${name}?`,
      text: 'Os dados, etiquetas e carteiras do contato são apagados, e isto não pode ser desfeito.',
      action: 'Excluir contato',
    })
    if (!sure) return
    try {
      await call(contacts.remove, { params: { id } }, { quiet: true })
      notify({ tone: 'pos', title: 'Contato excluído' })
    } catch (error) {
      notify({ tone: 'neg', title: sentence(error) })
    }
  }

  const facts =
    first &&
    `${formatNumber(first.count)}${first.countIsCapped ? '+' : ''} ${first.count === 1 ? 'contato' : 'contatos'}`
  const mayWrite = may('contacts:write')
  const create = () => setUrl({ id: 'novo' })

  return (
    <Page>
      <PageHead
        title="Contatos"
        facts={facts}
        actions={
          <>
            <Button
              variant="default"
              leftSection={<ExportIcon size={17} />}
              disabled={rows.length === 0 || exported !== null}
              onClick={() => void save()}
            >
              {exported === null ? 'Exportar' : `Exportando ${formatNumber(exported)}`}
            </Button>
            {mayWrite && (
              <Button leftSection={<AddIcon size={17} />} onClick={create}>
                Novo contato
              </Button>
            )}
          </>
        }
      />
      <FilterRow right={<ColumnChooser columns={contactColumns} shown={shown} onChange={chooseColumns} />}>
        <SearchField value={url.busca ?? ''} onChange={setSearch} placeholder="Nome, número, e-mail ou CPF" />
        <ChoiceFilter
          label="Etiqueta"
          options={tags}
          chosen={filter.tag}
          onChange={(ids) => setUrl({ etiqueta: textOf(ids) })}
        />
        <ChoiceFilter
          label="Carteira"
          options={colleagues}
          chosen={filter.wallet}
          onChange={(ids) => setUrl({ carteira: textOf(ids) })}
        />
      </FilterRow>
      {list.isPending && <SkeletonRows kind="table" />}
      {list.isError && <LoadError text={sentence(list.error)} retry={() => void list.refetch()} />}
      {list.isSuccess && rows.length === 0 && isNarrowed && (
        <EmptyState
          title="Nenhum contato com este filtro"
          text="Confira o que foi digitado e o que está escolhido, ou veja a lista inteira."
          step={{ label: 'Limpar filtros', run: clear }}
        />
      )}
      {list.isSuccess && rows.length === 0 && !isNarrowed && (
        <EmptyState
          title="Nenhum contato ainda"
          text="Quem escrever por um dos seus canais aparece aqui; você também pode cadastrar alguém."
          {...(mayWrite
            ? { step: { label: 'Cadastrar o primeiro', run: create, icon: <ContactsIcon size={17} /> } }
            : {})}
        />
      )}
      {rows.length > 0 && (
        <DataTable
          label="Contatos"
          columns={contactColumns.filter((column, index) => index === 0 || shown.includes(column.key))}
          rows={rows}
          rowKey={(row) => row.id}
          onEnd={onEnd}
          onOpen={(row) => setUrl({ id: row.id })}
          commands={(row) => [
            {
              id: 'talk',
              label: 'Iniciar conversa',
              icon: StartConversationIcon,
              when: () => may('tickets:start'),
              run: () => setTalkTo(row),
            },
            { id: 'edit', label: 'Editar', icon: EditIcon, when: () => mayWrite, run: () => setUrl({ id: row.id }) },
            {
              id: 'remove',
              label: 'Excluir…',
              icon: DeleteIcon,
              tone: 'neg',
              when: () => may('contacts:delete'),
              run: () => void remove(row),
            },
          ]}
        />
      )}
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
      {talkTo && <StartConversation contact={talkTo} onClose={() => setTalkTo(null)} />}
    </Page>
  )
}
