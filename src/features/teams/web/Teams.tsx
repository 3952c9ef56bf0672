import { useState } from 'react'
import { attempt } from '#web/attempt.ts'
import { call } from '#web/client.ts'
import type { CsvFile } from '#web/resource/ExportButton.tsx'
import { ListScreen } from '#web/resource/ListScreen.tsx'
import { useTable } from '#web/resource/use-table.tsx'
import { plural, t } from '#web/t.ts'
import { BlockIcon, CheckIcon, DeleteIcon, EditIcon, TeamsIcon } from '#web/ui/icons.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { ActiveState } from '#web/ui/identity/badges.tsx'
import type { Column } from '#web/ui/table/DataTable.tsx'
import { useUrlState } from '#web/url-state.ts'
import { teamEvents, teams } from '../addresses.ts'
import type { TeamRow } from '../contract.ts'
import { teamTable } from '../table.ts'
import { Members } from './Members.tsx'
import { TeamForm } from './TeamForm.tsx'
import css from './teams.module.css'

const quiet = { quiet: true }

const file: CsvFile<TeamRow> = {
  name: 'equipes.csv',
  most: 5000,
  columns: [
    ['ID', (row) => row.id],
    [t('Nome da Equipe'), (row) => row.group],
    [t('Pessoas'), (row) => row.userCount],
    [t('Ativo'), (row) => row.isActive],
  ],
}

function People({ row, onOpen }: { row: TeamRow; onOpen: () => void }) {
  const more = row.userCount - row.people.length
  return (
    <button type="button" className={css.people} onClick={onOpen}>
      {row.people.map((one) => (
        <Avatar key={one.id} id={one.id} name={one.name} size={26} />
      ))}
      <span>
        {row.userCount === 0
          ? t('Incluir pessoas')
          : more > 0
            ? `+${more}`
            : plural(row.userCount, 'pessoa', 'pessoas')}
      </span>
      <span className="g-hidden">{t(': quem faz parte de {group}', { group: row.group })}</span>
    </button>
  )
}

const setActive = ({ id, group }: TeamRow, isActive: boolean) =>
  attempt(
    () => call(teams.update, { params: { id }, body: { isActive } }, quiet),
    isActive ? t('{group} está ativa', { group }) : t('{group} está inativa', { group }),
  )

const columnsOf = (onPeople: (row: TeamRow) => void): readonly Column<TeamRow>[] => [
  {
    key: 'group',
    title: t('Nome da Equipe'),
    sortable: true,
    cell: (row) => <span className="g-cut">{row.group}</span>,
  },
  { key: 'id', title: 'ID', numeric: true, cell: (row) => row.id },
  { key: 'people', title: t('Pessoas'), cell: (row) => <People row={row} onOpen={() => onPeople(row)} /> },
  {
    key: 'isActive',
    title: t('Ativo'),
    sortable: true,
    cell: (row) => <ActiveState isActive={row.isActive} feminine />,
  },
]

/** Page of the company's teams and their members. */
export function Teams() {
  const [url, setUrl] = useUrlState()
  const [filling, setFilling] = useState<TeamRow | null>(null)
  const { list, remove, bar, screen, table } = useTable({
    spec: teamTable,
    ops: teams,
    rowsOf: (page) => page.items,
    live: [teamEvents.changed],
    nameOf: (row) => row.group,
    loss: t('As pessoas continuam na empresa; só a equipe é desfeita. Isto não pode ser desfeito.'),
  })
  return (
    <ListScreen
      {...screen}
      empty={{ title: t('Nenhuma equipe'), text: t('Equipes juntam colegas que trabalham no mesmo assunto.') }}
      file={file}
      add={{ label: t('Nova equipe'), first: t('Criar a primeira'), run: () => setUrl({ id: 'novo' }) }}
      table={{
        columns: columnsOf(setFilling),
        ...table,
        onOpen: (row) => setUrl({ id: row.id }),
        commands: (row) => [
          { id: 'edit', label: t('Editar'), icon: EditIcon, run: () => setUrl({ id: row.id }) },
          {
            id: 'active',
            label: row.isActive ? t('Desativar') : t('Ativar'),
            icon: row.isActive ? BlockIcon : CheckIcon,
            run: () => void setActive(row, !row.isActive),
          },
          { id: 'people', label: t('Pessoas'), icon: TeamsIcon, run: () => setFilling(row) },
          { id: 'remove', label: t('Excluir…'), icon: DeleteIcon, tone: 'neg', run: () => void remove(row) },
        ],
      }}
    >
      {bar}
      {url.id && (
        <TeamForm
          key={url.id}
          id={url.id}
          team={list.rows.find((row) => row.id === Number(url.id))}
          onMade={setFilling}
          onClose={() => setUrl({ id: undefined })}
        />
      )}
      {filling && <Members team={filling} onClose={() => setFilling(null)} />}
    </ListScreen>
  )
}
