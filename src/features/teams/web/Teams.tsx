import { Button, Switch } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { sentence } from '#web/api.ts'
import { call, pages, queryClient } from '#web/client.ts'
import { on } from '#web/realtime.ts'
import { csv, download } from '#web/resource/csv.ts'
import { readAll } from '#web/resource/read-all.ts'
import { useNextPage } from '#web/resource/use-next-page.ts'
import { plural } from '#web/t.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { confirm } from '#web/ui/confirm.tsx'
import { type Column, DataTable } from '#web/ui/data-table.tsx'
import { AddIcon, DeleteIcon, EditIcon, ExportIcon, TeamsIcon } from '#web/ui/icons.ts'
import { notify } from '#web/ui/notify.tsx'
import { FilterRow, Page, PageHead, SearchField } from '#web/ui/page.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { EmptyState, LoadError } from '#web/ui/states.tsx'
import { useUrlState } from '#web/url-state.ts'
import { type TeamRow, teamEvents, teams } from '../contract.ts'
import { Members } from './Members.tsx'
import { TeamForm } from './TeamForm.tsx'
import css from './teams.module.css'

const exportLimit = 5000
const quiet = { quiet: true }

function People({ row, onOpen }: { row: TeamRow; onOpen: () => void }) {
  const more = row.userCount - row.people.length
  return (
    <button type="button" className={css.people} onClick={onOpen}>
      {row.people.map((one) => (
        <Avatar key={one.id} id={one.id} name={one.name} size={26} />
      ))}
      <span>
        {row.userCount === 0 ? 'Incluir pessoas' : more > 0 ? `+${more}` : plural(row.userCount, 'pessoa', 'pessoas')}
      </span>
      <span className="g-hidden">: quem faz parte de {row.group}</span>
    </button>
  )
}

/** The teams of the company, and who is in them. */
export function Teams() {
  const [url, setUrl] = useUrlState()
  const [filling, setFilling] = useState<TeamRow | null>(null)
  const list = useInfiniteQuery(pages(teams.list, { query: { searchParam: url.busca } }))
  useEffect(
    () => on(teamEvents.changed, () => void queryClient.invalidateQueries({ queryKey: [teams.list.family] })),
    [],
  )
  const rows = list.data?.pages.flatMap((page) => page.items) ?? []
  const first = list.data?.pages[0]
  const onEnd = useNextPage(list)
  const setSearch = useCallback((busca: string) => setUrl({ busca }), [setUrl])

  const attempt = async (work: () => Promise<unknown>, done?: string) => {
    try {
      await work()
      if (done) notify({ tone: 'pos', title: done })
    } catch (error) {
      notify({ tone: 'neg', title: sentence(error) })
    }
  }
  const columns: readonly Column<TeamRow>[] = [
    { key: 'group', title: 'Nome da Equipe', cell: (row) => <span className="g-cut">{row.group}</span> },
    { key: 'id', title: 'ID', numeric: true, cell: (row) => row.id },
    { key: 'people', title: 'Pessoas', cell: (row) => <People row={row} onOpen={() => setFilling(row)} /> },
    {
      key: 'active',
      title: 'Ativo',
      cell: (row) => (
        <Switch
          aria-label={`${row.group}: ativa`}
          checked={row.isActive}
          onChange={(event) => {
            const isActive = event.currentTarget.checked
            void attempt(() => call(teams.update, { params: { id: row.id }, body: { isActive } }, quiet))
          }}
        />
      ),
    },
  ]
  const remove = async (row: TeamRow) => {
    const sure = await confirm({
      title: `Excluir a equipe “${row.group}”?`,
      text: 'As pessoas continuam na empresa; só a equipe é desfeita. Isto não pode ser desfeito.',
      action: 'Excluir equipe',
    })
    if (sure) await attempt(() => call(teams.remove, { params: { id: row.id } }, quiet), 'Equipe excluída')
  }
  const save = () =>
    attempt(async () => {
      const all = await readAll(async (cursor): Promise<{ rows: TeamRow[]; nextCursor: string | null }> => {
        const page = await call(teams.list, { query: { searchParam: url.busca, cursor } }, { long: true, quiet: true })
        return { rows: page.items, nextCursor: page.nextCursor }
      }, exportLimit)
      const cells = all.map((row) => [row.id, row.group, row.userCount, row.isActive])
      download('equipes.csv', csv(['ID', 'Nome da Equipe', 'Pessoas', 'Ativo'], cells))
    })

  return (
    <Page>
      <PageHead
        title="Equipes"
        facts={first && plural(first.count, 'equipe', 'equipes')}
        actions={
          <>
            <Button
              variant="default"
              leftSection={<ExportIcon size={17} />}
              disabled={rows.length === 0}
              onClick={save}
            >
              Exportar
            </Button>
            <Button leftSection={<AddIcon size={17} />} onClick={() => setUrl({ id: 'novo' })}>
              Nova equipe
            </Button>
          </>
        }
      />
      <FilterRow>
        <SearchField value={url.busca ?? ''} onChange={setSearch} placeholder="Buscar equipes" />
      </FilterRow>
      {list.isPending && <SkeletonRows kind="table" />}
      {list.isError && <LoadError text={sentence(list.error)} retry={() => void list.refetch()} />}
      {list.isSuccess &&
        rows.length === 0 &&
        (url.busca ? (
          <EmptyState
            title="Nenhuma equipe com esse texto"
            text="Confira o que foi digitado ou veja a lista inteira."
            step={{ label: 'Limpar filtros', run: () => setUrl({ busca: undefined }) }}
          />
        ) : (
          <EmptyState
            title="Nenhuma equipe ainda"
            text="Equipes juntam colegas que trabalham no mesmo assunto."
            step={{ label: 'Criar a primeira', run: () => setUrl({ id: 'novo' }), icon: <AddIcon size={17} /> }}
          />
        ))}
      {rows.length > 0 && (
        <DataTable
          label="Equipes"
          columns={columns}
          rows={rows}
          rowKey={(row) => row.id}
          onEnd={onEnd}
          onOpen={(row) => setUrl({ id: row.id })}
          commands={(row) => [
            { id: 'edit', label: 'Editar', icon: EditIcon, run: () => setUrl({ id: row.id }) },
            { id: 'people', label: 'Pessoas', icon: TeamsIcon, run: () => setFilling(row) },
            { id: 'remove', label: 'Excluir…', icon: DeleteIcon, tone: 'neg', run: () => void remove(row) },
          ]}
        />
      )}
      {url.id && (
        <TeamForm
          key={url.id}
          id={url.id}
          team={rows.find((row) => row.id === Number(url.id))}
          onMade={setFilling}
          onClose={() => setUrl({ id: undefined })}
        />
      )}
      {filling && <Members team={filling} onClose={() => setFilling(null)} />}
    </Page>
  )
}
