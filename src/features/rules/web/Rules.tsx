import { useState } from 'react'
import { labelOf } from '#web/actions/labels.ts'
import { formatDateTime } from '#web/format.ts'
import { ListScreen } from '#web/resource/ListScreen.tsx'
import { positionColumn } from '#web/resource/position-column.tsx'
import { switchCommand } from '#web/resource/switch-command.ts'
import { useOrder } from '#web/resource/use-order.ts'
import { useTable } from '#web/resource/use-table.tsx'
import { plural, t } from '#web/t.ts'
import { DeleteIcon, EditIcon, TrailIcon } from '#web/ui/icons.ts'
import { Pill } from '#web/ui/identity/badges.tsx'
import type { Column } from '#web/ui/table/DataTable.tsx'
import { useUrlState } from '#web/url-state.ts'
import { ruleEvents, rules } from '../addresses.ts'
import type { Rule } from '../contract.ts'
import { EVENTS, ruleTable } from '../table.ts'
import { conditionText } from './labels.ts'
import { RuleForm } from './RuleForm.tsx'
import { Runs } from './Runs.tsx'

const whenOf = ({ event, match, conditions }: Rule): string => {
  const all = conditions.map(conditionText).join(match === 'all' ? t(' e ') : t(' ou '))
  return all === '' ? EVENTS[event] : `${EVENTS[event]}: ${all}`
}
const doesOf = ({ steps }: Rule): string => steps.map(labelOf).join(' · ')

const columns: readonly Column<Rule>[] = [
  { key: 'name', title: t('Nome'), sortable: true, cell: (row) => row.name },
  { key: 'when', title: t('Quando'), cell: (row) => <span className="g-cut">{whenOf(row)}</span> },
  { key: 'does', title: t('Faz'), cell: (row) => <span className="g-cut">{doesOf(row)}</span> },
  {
    key: 'state',
    title: t('Situação'),
    cell: (row) => {
      const wrong = [...row.conditions, ...row.steps].filter(({ problem }) => problem !== null).length
      if (wrong > 0) return <Pill tone="neg">{plural(wrong, t('parte a corrigir'), t('partes a corrigir'))}</Pill>
      return row.isActive ? <Pill tone="pos">{t('Ligada')}</Pill> : <Pill tone="warn">{t('Pausada')}</Pill>
    },
  },
  {
    key: 'matched',
    title: t('Em 30 dias'),
    numeric: true,
    cell: (row) => (row.matched >= 1000 ? '1000+' : row.matched),
  },
]

/** Page of the company's rules, in the order of execution. */
export function Rules() {
  const [url, setUrl] = useUrlState()
  const [history, setHistory] = useState<Rule | null>(null)
  const { list, remove, bar, screen, table } = useTable({
    spec: ruleTable,
    ops: rules,
    rowsOf: (page) => page.items,
    live: [ruleEvents.changed],
    nameOf: (row) => row.name,
    loss: t('Ela não age mais, e o seu histórico se vai. O que já fez nos atendimentos fica como está.'),
  })
  const order = useOrder({ arrange: rules.arrange, family: rules.list.family }, list.rows)
  const isWhole = url.ordem === undefined && !url.busca && !url.event
  const open = (id: number | string) => setUrl({ id })
  return (
    <ListScreen
      {...screen}
      empty={{
        title: t('Nenhuma automação'),
        text: t('Uma automação age sozinha quando algo acontece: etiqueta, transfere, responde, resolve.'),
      }}
      file={{
        name: 'automacoes.csv',
        most: 100,
        columns: [
          ['ID', (row) => row.id],
          [t('Nome'), (row) => row.name],
          [t('Quando'), whenOf],
          [t('Faz'), doesOf],
          [t('Ligada'), (row) => (row.isActive ? t('Sim') : t('Não'))],
          [t('Em 30 dias'), (row) => row.matched],
          [t('Valeu por último'), (row) => (row.lastMatchedAt ? formatDateTime(row.lastMatchedAt) : '')],
        ],
      }}
      add={{ label: t('Nova automação'), first: t('Criar a primeira'), run: () => open('novo') }}
      table={{
        columns: [...columns, positionColumn(order, isWhole)],
        ...table,
        rows: order.shown,
        onOpen: (row) => open(row.id),
        commands: (row) => [
          { id: 'edit', label: t('Editar'), icon: EditIcon, run: () => open(row.id) },
          switchCommand(rules.update, row, {
            off: t('Pausar'),
            notices: { on: t('Automação ligada'), off: t('Automação pausada') },
          }),
          { id: 'history', label: t('Histórico'), icon: TrailIcon, run: () => setHistory(row) },
          { id: 'remove', label: t('Excluir…'), icon: DeleteIcon, tone: 'neg', run: () => void remove(row) },
        ],
      }}
    >
      {bar}
      {url.id && <RuleForm key={url.id} id={url.id} onClose={() => setUrl({ id: undefined })} />}
      {history && <Runs rule={history} onClose={() => setHistory(null)} />}
    </ListScreen>
  )
}
