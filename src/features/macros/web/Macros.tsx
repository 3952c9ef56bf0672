import { labelOf } from '#web/actions/labels.ts'
import { formatDateTime } from '#web/format.ts'
import { ListScreen } from '#web/resource/ListScreen.tsx'
import { useTable } from '#web/resource/use-table.tsx'
import { plural, t } from '#web/t.ts'
import { DeleteIcon, EditIcon } from '#web/ui/icons.ts'
import { Pill, Stage } from '#web/ui/identity/badges.tsx'
import type { Column } from '#web/ui/table/DataTable.tsx'
import { useUrlState } from '#web/url-state.ts'
import { macroEvents, macros } from '../addresses.ts'
import type { Macro } from '../contract.ts'
import { AUDIENCES, macroTable } from '../table.ts'
import { MacroForm } from './MacroForm.tsx'

const audienceOf = ({ audience, queue }: Macro): string =>
  audience === 'queue' ? (queue ?? t('Fila excluída')) : AUDIENCES[audience]

const columns: readonly Column<Macro>[] = [
  { key: 'name', title: t('Nome'), sortable: true, cell: (row) => <Stage name={row.name} color={row.color} /> },
  {
    key: 'steps',
    title: t('Passos'),
    cell: (row) => <span className="g-cut">{row.steps.map(labelOf).join(' · ')}</span>,
  },
  { key: 'audience', title: t('Quem usa'), cell: audienceOf },
  {
    key: 'problems',
    title: t('Situação'),
    cell: (row) => {
      const wrong = row.steps.filter(({ problem }) => problem !== null).length
      if (wrong > 0) return <Pill tone="neg">{plural(wrong, t('passo a corrigir'), t('passos a corrigir'))}</Pill>
      if (row.audience === 'queue' && row.queue === null) return <Pill tone="warn">{t('Sem fila')}</Pill>
      return <Pill tone="pos">{t('Pronta')}</Pill>
    },
  },
  { key: 'updatedAt', title: t('Alterada em'), cell: (row) => formatDateTime(row.updatedAt) },
]

/** Page of the macros that the lead may change: actions, audience, problems. */
export function Macros() {
  const [url, setUrl] = useUrlState()
  const { remove, bar, screen, table } = useTable({
    spec: macroTable,
    ops: macros,
    rowsOf: (page) => page.items,
    live: [macroEvents.changed],
    nameOf: (row) => row.name,
    loss: t('Ninguém mais a usa. O que ela já fez nos atendimentos fica como está.'),
  })
  const open = (id: number | string) => setUrl({ id })
  return (
    <ListScreen
      {...screen}
      empty={{
        title: t('Nenhuma macro'),
        text: t('Uma macro faz de uma vez o que se repete: etiquetar, transferir, responder, resolver.'),
      }}
      file={{
        name: 'macros.csv',
        most: 5000,
        columns: [
          ['ID', (row) => row.id],
          [t('Nome'), (row) => row.name],
          [t('Passos'), (row) => row.steps.map(labelOf).join(' · ')],
          [t('Quem usa'), audienceOf],
        ],
      }}
      add={{ label: t('Nova macro'), first: t('Criar a primeira'), run: () => open('novo') }}
      table={{
        columns,
        ...table,
        onOpen: (row) => open(row.id),
        commands: (row) => [
          { id: 'edit', label: t('Editar'), icon: EditIcon, run: () => open(row.id) },
          { id: 'remove', label: t('Excluir…'), icon: DeleteIcon, tone: 'neg', run: () => void remove(row) },
        ],
      }}
    >
      {bar}
      {url.id && <MacroForm key={url.id} id={url.id} onClose={() => setUrl({ id: undefined })} />}
    </ListScreen>
  )
}
